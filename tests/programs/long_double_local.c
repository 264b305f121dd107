// function: scaled
// What expressions cannot hold is computed with the values of the run.
int scaled(int n)
{
    long double wide = (long double)n * 0.5L;
    if (n > 10)  // expect branch: covered
        return wide > 100.0L ? 2 : 1;
    return 0;
}
