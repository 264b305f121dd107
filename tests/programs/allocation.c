// function: allocate
// A size that the input decides is kept as it is in a run, and others are tried; no machine has half the address space.
#include <stdlib.h>

int allocate(int n, int value)
{
    if (n > 40)  // expect branch: covered
        return -1;
    int *cells = malloc(n * sizeof *cells);
    if (!cells)  // expect branch: covered
        return -2;
    if (n > 3)  // expect branch: covered
        cells[3] = value;
    if (n > 3 && cells[3] == 77)  // expect branch: covered
        value = 1;
    free(cells);
    return value;
}
