// function: f
/* tightrope: p = null; q = not-null */
int f(const int *p, const int *q)
{
    if (p) // expect branch(true): unknown
        return 1;
    if (!q) // expect branch(false): unknown
        return 2;
    if (*q > 3)
        return 3;
    return 0;
}
