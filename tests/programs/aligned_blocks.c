// function: blocks
// options: --no-stub aligned_alloc --no-stub realloc
#include <stdlib.h>

/* That there is memory is an assumption, behind which nothing is infeasible. */
int blocks(int value)
{
    int *cells = aligned_alloc(64, 64);
    void *other = NULL;
    if ((unsigned long)cells % 64 != 0)  // expect branch(true): unknown; branch(false): covered
        return -1;
    cells[15] = value;
    if (posix_memalign(&other, 24, 8) == 0)  // expect branch(true): unknown; branch(false): covered
        return -2;
    free(other);
    if (cells[15] == 77)  // expect branch: covered
        return 1;
    if (realloc(cells, 0) != NULL)  // expect branch(true): unknown; branch(false): covered
        return -3;
    return 0;
}
