// function: steps_of
static int depth(unsigned n)
{
    if (n == 0)
        return 0;
    return 1 + depth(n / 2);
}

int steps_of(unsigned char n)
{
    int steps = depth(n);
    if (steps == 8)  // expect branch: covered
        return 1;
    if (steps > 8)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    return steps == 0;
}
