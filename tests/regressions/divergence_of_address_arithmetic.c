// function: fetch
// The object of an address that is computed with integers does not depend on where this run's address lies.
#include <stdint.h>
int fetch(unsigned at)
{
    int cells[4] = {1, 2, 3, 4};
    if (*(int *)((uintptr_t)cells + 4 * (uintptr_t)at) == 3)  // expect branch: covered; outcome(read out of bounds): crashed
        return 1;
    return 0;
}
