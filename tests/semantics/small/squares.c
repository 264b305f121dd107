// domain: x=-128..127
/* A square is never 2 or 3 modulo 4. */
int f(signed char x)
{
    int s = x * x;
    if (s % 4 == 2)
        return 1;
    if (s % 4 == 3)
        return 2;
    if (s % 8 == 4)
        return 3;
    return s % 16 == 9 && s > 10000;
}
