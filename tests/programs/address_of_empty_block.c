// function: blocks_meet
#include <stdlib.h>

// A heap block has a place of its own, also without bytes.
int blocks_meet(int n)
{
    char *one = malloc(n & 7), *other = malloc(4);
    int meets = 0;
    if (one && other && one == other)   // expect branch#3(true): infeasible; branch#3(false): covered
        meets = 1;
    free(one);
    free(other);
    return meets;
}
