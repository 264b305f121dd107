// function: copied_length
#include <string.h>
int copied_length(const char *text)
{
    char copy[64];
    strcpy(copy, text);
    if (copy[8] == 'x')  // expect branch(true): unknown
        return 1;
    return 0;
}
