// function: both
// Two levels: what the outer pointer leads to may be the other parameter.
int both(int **place, int *value)
{
    if (!place || !value)
        return 0;
    *value = 3;
    if (*place == value)  // expect branch(true): unknown
        return 1;
    return 0;
}
