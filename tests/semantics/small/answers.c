// assume: a < 8
// domain: a=0..7
// unknown: shape
#include <stdlib.h>
/* Which answer a call of the allocator gets depends on how many there were before. */
int f(unsigned char a)
{
    int failed = 0;
    for (int i = 0; i < (a & 1) + 1; i++) {
        char *p = malloc(2);
        if (!p)
            failed++;
        free(p);
    }
    int *q = malloc(sizeof *q);
    if (!q)
        return failed == 2;
    *q = a;
    if (failed == 2 && *q == 4)
        return 3;
    int r = *q;
    free(q);
    return r == 7 && failed == 1;
}
