// domain: x=-128..127
int f(signed char x)
{
    unsigned char u = x;
    unsigned w = x;
    unsigned short s = (unsigned short)(x * 300);
    if (u != x && x >= 0)
        return 1;
    if (w > 127u && x > 0)
        return 2;
    if (x < 0u)
        return 3;
    if ((short)s < 0 && x > 109 && x < 112)
        return 4;
    if (x == -x && x)
        return 5;
    if ((signed char)-x == x && x)
        return 6;
    return (long)w - (long)x == 1L << 32;
}
