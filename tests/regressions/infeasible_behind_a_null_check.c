// function: matches
// options: --input p=not-null
// What lies behind `!p` was never run, because no pointer is NULL; and it is what the second branch depends on.
int matches(const int *p, int n)
{
    int k = n;
    if (!p)  // expect branch(false): unknown
        k = n + 7;
    if (k * 3 == n * 3 + 21)  // expect branch(true): unknown
        return 1;
    return 0;
}
