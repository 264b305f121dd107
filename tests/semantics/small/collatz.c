// assume: a < 16
// domain: a=0..15
int f(unsigned char a)
{
    unsigned n = a, rounds = 0;
    if (!n)
        return 0;
    while (n != 1 && rounds < 20) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        if (n > 100)
            return 1;
        rounds++;
    }
    if (rounds == 19)
        return 2;
    return rounds == 18 || n != 1;
}
