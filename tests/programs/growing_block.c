// function: grow
// A block that grows by realloc, in a loop.
#include <stdlib.h>

int grow(unsigned char n)
{
    int *cells = 0, last = 0;
    if (n > 6)  // expect branch: covered
        return -1;
    for (int i = 0; i < n; i++) {  // expect branch: covered
        cells = realloc(cells, (i + 1) * sizeof *cells);
        cells[i] = i * i;
    }
    if (n)  // expect branch: covered
        last = cells[n - 1];
    free(cells);
    if (last == 16)  // expect branch: covered
        return 1;
    return 0;
}
