// assume: a < 16 && b < 16
// domain: a=0..15 b=0..15
int f(unsigned char a, unsigned char b)
{
    int x = (int)((unsigned)a << 28), y = x >> 28;
    unsigned u = (unsigned)x >> 28;
    long l = (long)a << (b + 30);
    if (y == a && a > 7)
        return 1;
    if (u != a)
        return 2;
    if (y < -8)
        return 3;
    if ((int)l && b > 2)
        return 4;
    return l >> 33 == 5 && (1u << b & 0x8421u);
}
