// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
static void swap(int *x, int *y) { *x ^= *y; *y ^= *x; *x ^= *y; }
int f(unsigned char a, unsigned char b)
{
    int v[2] = {a, b};
    swap(&v[a & 1], &v[b & 1]);
    if (v[0] == 0 && v[1] == 0 && a + b > 4)
        return 1;
    if (v[0] == b && v[1] == a && a != b)
        return 2;
    return (a & 1) == (b & 1) && v[a & 1] != 0;
}
