// assume: (!p || (*p >= 0 && *p < 4)) && (!q || (*q >= 0 && *q < 4))
// domain: *p=0..3 *q=0..3
// unknown: shape
/* What the second pointer writes, the first one reads, if they are the same. */
int f(int *p, int *q)
{
    if (!p || !q)
        return -1;
    *p = 1;
    *q = 2;
    if (*p == 1)
        return p == q;
    if (p != q)
        return 3;
    return *p == 2 ? 4 : 5;
}
