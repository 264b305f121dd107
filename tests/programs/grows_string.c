// function: is_command
// options: --grow-to 256
/* A text longer than the strings of the first shape: they grow to it. */
#include <string.h>

int is_command(const char *text)
{
    if (strcmp(text, "set configuration to default 7") == 0)    // expect branch: covered
        return 1;
    return 0;
}
