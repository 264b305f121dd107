// function: sign
int sign(long double x, int n)
{
    if (n > 3)  // expect branch: covered
        return 1;
    if (x > 1.0L)  // expect branch(true): unknown
        return 2;
    return 0;
}
