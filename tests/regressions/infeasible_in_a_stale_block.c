// function: stale
// What a new block holds is anything.
#include <stdlib.h>
int stale(unsigned char limit)
{
    unsigned char *block = malloc(4);
    if (!block)  // expect branch(true): unknown; branch(false): covered
        return -1;
    if (block[2] > limit)  // expect branch: unknown; outcome(use of an uninitialised value): crashed
        return 1;
    return 0;
}
