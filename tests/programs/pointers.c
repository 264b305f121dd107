// function: swap_if
static void swap(int *left, int *right)
{
    int kept = *left;
    *left = *right;
    *right = kept;
}

int swap_if(int a, int b, _Bool yes)
{
    int *first = &a, **place = &first;
    if (a > b)  // expect branch: covered
        swap(&a, &b);
    if (yes)  // expect branch: covered
        *place = &b;
    **place += 1;
    if (a > b && yes)  // expect branch: covered
        return -1; /* b was the largest int: its successor wraps */
    return first == &b ? b : a;  // expect branch: covered
}
