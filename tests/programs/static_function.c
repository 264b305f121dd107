// function: inner
static int twice(int x)
{
    return 2 * x;
}

static int inner(int x)
{
    if (twice(x) == 14)  // expect branch: covered
        return 1;
    if (twice(x) % 2 != 0)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    return 0;
}

int outer(int x)
{
    return inner(x + 1);
}
