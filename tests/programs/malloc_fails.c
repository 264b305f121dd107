// function: copy
// Allocations fail where the code looks whether they do.
#include <stdlib.h>

int copy(int n)
{
    int *first = malloc(sizeof *first);
    if (!first) // expect branch: covered
        return -1;
    int *second = calloc(1, sizeof *second);
    if (!second) {
        free(first);
        return -2;
    }
    *first = n;
    *second = *first + 1;
    int result = *second == 5;
    free(first);
    free(second);
    if (result)
        return 1;
    return 0;
}
