// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* Which variable a pointer leads to depends on the input; the others keep their values. */
int f(unsigned char a, unsigned char b)
{
    int x = 1, y = 2, z = 3, *p = &x, *q = &y;
    if (a > 1)
        p = &z;
    if (b == 2)
        q = p;
    *p = 7;
    *q += 1;
    if (x == 7 && z == 7)
        return 1;
    if (x == 8)
        return 2;
    if (z == 8 && y == 2)
        return 3;
    if (y == 3 && (x == 7 || z == 7))
        return 4;
    return 5;
}
