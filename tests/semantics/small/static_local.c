// assume: a < 8
// domain: a=0..7
// unknown: shape
/* It starts as written; each call counts. */
static int next(void) { static int n = 3; return n += 2; }
int f(unsigned char a)
{
    int r = 0;
    for (int i = 0; i < (a & 3); i++)
        r = next();
    if (r == 9)
        return 1;
    if (r == 10)
        return 2;
    return r > 10;
}
