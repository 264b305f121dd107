// function: whole
// A number that does not fit is no error: the run goes on.
int whole(double x, unsigned char k)
{
    long n = (long)(x + k);
    if (n > 100)  // expect branch(true): covered
        return 1;
    if (x != x && k > 3)  // expect branch(true): covered
        return 2;
    return 0;
}
