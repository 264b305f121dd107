// unknown: runs_died
// assume: a < 8
// domain: a=0..7
#include <assert.h>
#include <stdlib.h>
int f(unsigned char a)
{
    if (a == 1)
        exit(2);
    if (a == 2)
        abort();
    assert(a != 3);
    if (a == 3)
        return 1;
    if (a > 0 && a < 4)
        return 2;
    return a == 0 || a == 7;
}
