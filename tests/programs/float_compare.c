// function: compare
int compare(float x, double y)
{
    if (x != x)  // expect branch: covered
        return -1;
    if (!(y < 0) && !(y >= 0))  // expect branch: covered
        return -2;
    if (x > 0 && x < 1e-40f)  // expect branch: covered
        return 1;
    if (x == y && y == 0.1)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 2;
    if (x == 0 && 1 / x < 0)  // expect branch: covered
        return 3;
    return 0;
}
