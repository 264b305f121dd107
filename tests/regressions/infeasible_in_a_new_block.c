// function: fresh
// What a new block holds is anything, unless it was asked for zeros.
#include <stdlib.h>
int fresh(unsigned char limit)
{
    unsigned char *block = malloc(4), *zeros = calloc(4, 1);
    if (!block || !zeros)
        return -1;
    block[1] = 3;
    if (zeros[0] > limit)  // expect branch(true): infeasible
        return 1;
    if (block[1] > limit + 3)  // expect branch(true): infeasible
        return 2;
    return 0;
}
