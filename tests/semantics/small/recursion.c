// assume: a < 8 && b < 4
// domain: a=0..7 b=0..3
static int ways(int n, int k)
{
    if (k == 0 || k == n)
        return 1;
    if (k > n)
        return 0;
    return ways(n - 1, k - 1) + ways(n - 1, k);
}
int f(unsigned char a, unsigned char b)
{
    int w = ways(a & 7, b & 3);
    if (w == 35)
        return 1;
    if (w == 11)
        return 2;
    return w > 20 && w < 30;
}
