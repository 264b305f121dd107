// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
int f(unsigned char a, unsigned char b)
{
    int is_large = a > 5, is_small = 0, r = 0;
    if (b < 2)
        is_small = 1;
    if (a > 3)
        r = 1;
    if (is_large && !r)
        return 1;
    if (is_small && b > 1)
        return 2;
    if (a <= 3 && r)
        return 3;
    if (is_large && is_small && a + b == 8)
        return 4;
    if (is_large && is_small && a + b == 9)
        return 5;
    return is_large == (a > 5) ? 0 : 6;
}
