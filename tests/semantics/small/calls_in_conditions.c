// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
static int clip(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static int is_in(int x, int low, int high) { return clip(x, low, high) == x; }
int f(unsigned char a, unsigned char b)
{
    if (is_in(a, 2, 5) && !is_in(b, 2, 5) && is_in(a + b, 10, 11))
        return 1;
    if (clip(a, clip(b, 1, 3), 6) == b && a != b)
        return 2;
    if (is_in(clip(a, 3, 5), 6, 7))
        return 3;
    return is_in(a, clip(b, 0, 3), clip(b, 4, 7)) ? 4 : 5;
}
