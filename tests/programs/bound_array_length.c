// function: all_small
int all_small(const int *values, int count)
{
    int small = 0;
    for (int at = 0; at < count; at++)
        small += values[at] < 10;
    if (small > 20)  // expect branch(true): unknown
        return 1;
    return 0;
}
