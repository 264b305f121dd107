// function: kind
// A caller may pass the same int twice: then the second branch is taken.
int kind(int *p, int *q, int x)
{
    *p = x & 1;
    *q = 2;
    if (*p == 2)  // expect branch: covered
        return 1;
    if (*p == 3)  // expect branch(true): infeasible
        return 2;
    return 0;
}
