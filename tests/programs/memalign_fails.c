// function: block
// As `aligned_alloc`, which is its name in the standard.
#include <malloc.h>
#include <stdlib.h>

int block(int value)
{
    int *cells = memalign(64, 64);
    if (cells == NULL)  // expect branch: covered
        return -1;
    cells[15] = value;
    if (cells[15] == 77) {  // expect branch: covered
        free(cells);
        return 1;
    }
    free(cells);
    return 0;
}
