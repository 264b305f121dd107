// assume: a < 6
// domain: a=0..5
/* An unsigned number is never below zero. */
int f(unsigned a)
{
    unsigned n = 0;
    for (unsigned i = a; i-- > 0;)
        n += i;
    if (n == 10)
        return 1;
    if (a - 1 < 0u)
        return 2;
    return a - 1 > 5;
}
