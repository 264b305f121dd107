// function: both
// Two levels: what the outer pointer leads to may be the other parameter, because the code compares them.
int both(int **place, int *value)
{
    if (!place || !value)
        return 0;
    *value = 3;
    if (*place == value)  // expect branch: covered
        return 1;
    return 0;
}
