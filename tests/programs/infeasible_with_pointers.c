// function: order
// No run reaches a bound of the shape, and some run tried every possible alias: proved.
void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

int order(int *a, int *b)
{
    if (!a || !b)  // expect branch: covered
        return -1;
    if (*a > *b)
        swap(a, b);
    if (*a > *b)  // expect branch(true): infeasible
        return 1;
    return 0;
}
