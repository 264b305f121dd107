// function: copy
// options: --no-stub malloc
// No failures where they are not asked for.
#include <stdlib.h>

int copy(int n)
{
    int *cell = malloc(sizeof *cell);
    if (!cell) // expect branch(false): unknown
        return -1;
    *cell = n;
    return *cell;
}
