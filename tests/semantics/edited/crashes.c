// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
// unknown: runs_died
/* Everything behind something that may end the run depends on it. */
#include <assert.h>
#include <stdlib.h>
static int table[5] = {3, 1, 4, 1, 5};
static int quotient(int x, int y) { return x / y; }
static void check(int ok)
{
    if (!ok)
        exit(2);
}
int f(unsigned char a, unsigned char b)
{
    int q = quotient(a, b);
    if (q > 3)
        return 1;
    int t = table[a];
    check(t != 4);
    if (b == 3 && t == 1)
        abort();
    assert(a + b != 2);
    while (a == 3)
        ;
    if (t > 2 || b < 3)
        return 2;
    return t == b - 3;
}
