// function: grow
#include <stdlib.h>
#include <string.h>
int grow(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return -1;
    strcpy(copy, text);
    int is_long = copy[0] && strlen(copy) > 9;
    free(copy);
    if (is_long)  // expect branch(true): unknown
        return 1;
    return 0;
}
