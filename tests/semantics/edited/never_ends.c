// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
/* Loops that some inputs never leave. */
static int walk(int from, int to)
{
    int steps = 0;
    while (from != to) {
        from = (from + 2) & 7;
        steps++;
    }
    return steps;
}
int f(unsigned char a, unsigned char b)
{
    int r = 0;
    if (a > 1)
        r = walk(a, b);
    if (r == 2)
        r++;
    for (int i = a; i > b; i -= a == 5 ? 0 : 1)
        r += i;
    do {
        r--;
        if (r == 4)
            break;
    } while (r > 0);
    return r == 4 && b == 2;
}
