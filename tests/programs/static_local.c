// function: third
// Earlier calls may have changed what a static local holds: nothing is proved by how it starts.
static int next(int step)
{
    static int total = 1;
    total += step;
    return total;
}

int third(signed char step)
{
    next(step);
    next(step);
    int total = next(step);
    if (total == 31)  // expect branch: covered
        return 1;
    if (total % 3 != 1 && total > 0)  // expect branch#1: covered; branch#2(true): unknown
        return 2;
    return 0;
}
