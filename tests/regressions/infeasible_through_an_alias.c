// function: kind
// A caller may pass the same int twice: then the second branch is taken.
int kind(int *p, int *q, int x)
{
    *p = x & 1;
    *q = 2;
    if (*p == 2)  // expect branch(true): unknown
        return 1;
    return 0;
}
