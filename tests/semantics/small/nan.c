// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
int f(unsigned char a, unsigned char b)
{
    double q = (double)a / b, m = -q;
    if (q != q)
        return a || b;
    if (q > 1e300)
        return m < -1e300 ? 1 : 2;
    if (!(q < 3.0) && !(q >= 3.0))
        return 3;
    return q == 0.0 && 1.0 / m < 0 ? 4 : q < m;
}
