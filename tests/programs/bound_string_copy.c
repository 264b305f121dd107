// function: copied_length
// The terminator of the input is copied: the copy ends where our string ends.
#include <string.h>
int copied_length(const char *text)
{
    char copy[64] = {0};
    unsigned long size = strlen(text) + 1;
    if (size > sizeof copy)  // expect branch(true): unknown
        return -1;
    memcpy(copy, text, size);
    if (copy[8] == 'x')  // expect branch(true): unknown
        return 1;
    return 0;
}
