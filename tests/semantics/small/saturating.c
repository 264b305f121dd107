// domain: a=-128..127 b=-128..127
static signed char add(signed char x, signed char y)
{
    int sum = x + y;
    return (signed char)(sum > 127 ? 127 : sum < -128 ? -128 : sum);
}
int f(signed char a, signed char b)
{
    signed char s = add(a, b), d = add(s, (signed char)-b);
    if (d != a && s != 127 && s != -128)
        return b == -128 ? 1 : 2;
    if (a > 0 && b > 0 && s < a)
        return 3;
    if (add(a, 1) == -128)
        return a == -128;
    return s == 127 && d == 0 && a != 0;
}
