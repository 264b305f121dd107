// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
/* Two loops that jump into each other. */
int f(unsigned char a, unsigned char b)
{
    int fuel = 6, n = 0;
    if (a > 4)
        goto second;
first:
    if (fuel-- == 0)
        return n;
    n += a;
    if (n & 1)
        goto second;
    n++;
third:
    if (n > 20)
        return 20;
    goto first;
second:
    if (fuel-- == 0)
        return -n;
    n += b;
    if (n % 3 == 1)
        goto third;
    if (n == 9)
        goto first;
    return n == 14 && fuel == 4;
}
