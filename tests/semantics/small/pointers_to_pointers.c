// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
static void redirect(int **to, int *what) { if (**to < 2) *to = what; }
int f(unsigned char a, unsigned char b)
{
    int x = a, y = b, *p = &x, **pp = &p;
    redirect(pp, &y);
    **pp += 4;
    if (p == &x && x < 6)
        return 1;
    if (p == &y && y == 7 && x == 1)
        return 2;
    pp = 0;
    if (a == 3)
        pp = &p;
    if (pp && *pp == &y)
        return 3;
    return pp ? **pp : x + y;
}
