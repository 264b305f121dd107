// assume: a < 4 && b < 4 && calls == 0
// domain: a=0..3 b=0..3 calls=0
/* What the second operand does happens only if it is evaluated. */
static int calls;
static int odd(int x) { calls++; return x & 1; }
int f(unsigned char a, unsigned char b)
{
    int n = 0;
    calls = 0;
    if (odd(a) && n++ < 1 && odd(b))
        n += 10;
    if (calls == 2 && n == 0)
        return 1;
    if (calls == 1 && n)
        return 2;
    if (odd(b) || (n = 5, odd(a)))
        return n == 5 && calls == 3;
    return calls > 4 ? 3 : 4;
}
