// assume: a < 16
// domain: a=0..15
/* The loop is left from its middle only; behind its condition nothing is reached by `false`. */
int f(unsigned char a)
{
    int n = 0;
    while (1) {
        n += 3;
        if (n > a)
            break;
        if (n == 7)
            return -1;
        n ^= 1;
    }
    return n > 20;
}
