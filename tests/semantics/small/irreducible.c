// assume: a < 8 && b < 4
// domain: a=0..7 b=0..3
/* A loop with two entries. */
int f(unsigned char a, unsigned char b)
{
    int n = a;
    if (b & 1)
        goto inside;
again:
    n -= 2;
    if (n < 0)
        return n;
inside:
    n--;
    if (n > b)
        goto again;
    if (n == 6)
        return 6;
    return 0;
}
