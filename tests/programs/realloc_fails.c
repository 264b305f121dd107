// function: grow
// When realloc fails, the old block is still there.
#include <stdlib.h>

int grow(int n)
{
    char *block = malloc(4);
    if (!block) // expect branch: covered
        return -1;
    block[3] = (char)n;
    char *larger = realloc(block, 8);
    if (!larger) {
        int old = block[3];
        free(block);
        if (old == 9)
            return -3;
        return -2;
    }
    if (larger[3] == 7) {
        free(larger);
        return 1;
    }
    free(larger);
    return 0;
}
