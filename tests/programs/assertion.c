// function: halve
// expect outcome: crashed
// expect outcome: returned
#include <assert.h>

int halve(int x)
{
    assert(x % 2 == 0);  // expect branch: covered
    if (x / 2 * 2 != x)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    return x / 2;
}
