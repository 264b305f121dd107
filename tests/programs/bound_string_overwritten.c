// function: append
// The terminator is replaced: the string is longer now, and no longer ours alone.
#include <string.h>
int append(char *text)
{
    unsigned long length = strlen(text);
    text[length] = 'x';
    if (length > 8)  // expect branch(true): unknown
        return 1;
    return 0;
}
