// function: above
// The distance of an object from NULL is its address, which no test can choose.
#include <stddef.h>
int above(const char *p, const char *q)
{
    if (!p) // expect branch: covered
        return 0;
    ptrdiff_t distance = p - q;
    if (q) // expect branch: covered
        return 1;
    if ((distance & 15) == 8) // expect branch: unknown
        return 2;
    return 3;
}
