// function: starts
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

int starts(const char *text)
{
    if (!text) // expect branch: covered
        return -2;
    char *copy = strdup(text);
    if (!copy)
        return -1;
    int first = copy[0];
    free(copy);
    if (first == 'x')
        return 1;
    return 0;
}
