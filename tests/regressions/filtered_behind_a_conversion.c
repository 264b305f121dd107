// function: whole
// A number that does not fit is no error as long as nothing rests on the result: the run goes on.
int whole(double x, unsigned char k)
{
    long n = (long)(x + k);
    if (x != x && k > 3)  // expect branch(true): covered; branch#2(false): unknown
        return 2;
    if (n > 100)  // expect branch(true): covered
        return 1;
    return 0;
}
