// assume: (!p || (*p >= 0 && *p <= 3)) && (!q || (*q >= 0 && *q <= 3)) && i < 4
// domain: *p=0..3 *q=0..3 i=0..3
// unknown: shape runs_died
/* Writes through pointers that may point to the same object, to locals and into arrays. */
static int cells[4] = {1, 2, 3, 4};
static int *at(int i) { return &cells[i & 3]; }
static void bump(int *x, const int *by) { *x += *by; }
int f(int *p, int *q, unsigned char i)
{
    int local = 2, *r = &local, **rr = &r;
    cells[0] = 1;
    if (p)
        *p = 1;
    if (q && *q == 1)
        return 1;
    if (i & 1)
        *rr = at(i);
    bump(r, &cells[0]);
    if (local == 3)
        cells[1] = 9;
    if (*at(1) == 9 || *r > 3)
        return 2;
    if (p && q)
        *q = local;
    return p && *p == 3;
}
