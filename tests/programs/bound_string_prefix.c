// function: is_command
// options: --string-length 8
#include <string.h>
int is_command(const char *text)
{
    if (strncmp(text, "configuration", 13) == 0)  // expect branch(true): unknown
        return 1;
    return 0;
}
