// assume: a >= -8 && a < 8 && b >= -2 && b < 3
// domain: a=-8..7 b=-2..2
// unknown: runs_died
int f(signed char a, signed char b)
{
    if (a == 7)
        return 7;
    int q = a / b, r = a % b;
    if (b == 0)
        return 1;
    if (q * b + r != a)
        return 2;
    if (r > 0 && a < 0)
        return 3;
    if (r < 0 && q > 0)
        return 4;
    return q == -8 && r == 0;
}
