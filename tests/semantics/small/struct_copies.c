// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
#include <string.h>
struct point { short x, y; };
struct line { struct point from, to; unsigned char width; };
int f(unsigned char a, unsigned char b)
{
    struct line l = {{a, b}, {3, 1}, 2}, m = l, n;
    m.from = l.to;
    l.to.x = 9;
    memcpy(&n, &m, sizeof n);
    memset(&l.from, 0, sizeof l.from);
    if (m.to.x == 9)
        return 1;
    if (n.from.x != 3 || n.from.y != 1)
        return 2;
    if (l.from.x || l.from.y)
        return 3;
    struct point *where = a > 2 ? &n.from : &n.to;
    where->y = (short)(b - a);
    if (n.from.y == -3)
        return 4;
    return n.to.y == 2 ? 5 : 6;
}
