// function: same
#include <string.h>
struct point { int x, y; };
int same(const struct point *a, const struct point *b)
{
    if (memcmp(a, b, sizeof *a) == 0)  // expect branch: covered
        return 1;
    return 0;
}
