// assume: a < 16 && b < 16
// domain: a=0..15 b=0..15
/* How often it goes round depends on the input; not more than 6 times. */
int f(unsigned char a, unsigned char b)
{
    int rounds = 0;
    while (b) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
        rounds++;
    }
    if (rounds == 6)
        return 1;
    if (rounds > 6)
        return 2;
    return a == 7 && rounds == 3;
}
