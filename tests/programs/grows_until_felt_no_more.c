// function: f
/* After the shape has grown to what the code reads, no run reaches its end: what is left is infeasible. */
static int sum(const unsigned char *p, int n)
{
    int s = 0;
    while (n-- > 0)
        s += *p++ & 1;
    return s;
}

int f(const unsigned char *bits)
{
    if (!bits)
        return -1;
    if (sum(bits, 11) > 11)                             // expect branch(true): infeasible
        return 1;
    return 0;
}
