// domain: x=0..255
int f(unsigned char x)
{
    int n = 0;
    for (int i = 0; i < 8; i++)
        n += x >> i & 1;
    unsigned char y = x ^ x >> 4;
    y ^= y >> 2;
    y ^= y >> 1;
    if ((n & 1) != (y & 1))
        return 1;
    if (n == 8 || (n == 7 && x < 128))
        return 2;
    if (n == 2 && x % 3 == 0 && x > 200)
        return 3;
    return n > 6 && !(x & 1) && y & 1;
}
