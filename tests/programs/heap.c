// function: copied
#include <stdlib.h>

int copied(int count, int value)
{
    if (count < 1 || count > 3)  // expect branch: covered
        return -1;
    int *cells = malloc(3 * sizeof(int));
    for (int i = 0; i < count; i++)  // expect branch: covered
        cells[i] = value + i;
    int last = cells[count - 1];
    free(cells);
    if (last - value >= 3)  // expect branch(true): infeasible; branch(false): covered
        return -3;
    if (last == 20)  // expect branch: covered
        return 1;
    return 0;
}
