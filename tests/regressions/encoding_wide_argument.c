// function: f
// options: --engine encoding
/* A call through a pointer whose argument has no encoding: what all its ways do is not known, not only the first. */
static int one(long double x) { return x > 2; }
static int two(long double x) { return 2 + (x > 3); }
static int (*const both[2])(long double) = {one, two};

int f(unsigned char a)
{
    int r = both[a & 1](2.5L);
    if (r == 2) // expect branch(true): unknown; branch(false): covered
        return 1;
    if (r == 1) // expect branch(true): covered; branch(false): unknown
        return 2;
    return 0;
}
