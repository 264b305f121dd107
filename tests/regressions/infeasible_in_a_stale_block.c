// function: stale
// What a new block holds is anything.
#include <stdlib.h>
int stale(unsigned char limit)
{
    unsigned char *block = malloc(4);
    if (!block)
        return -1;
    if (block[2] > limit)  // expect branch(true): unknown
        return 1;
    return 0;
}
