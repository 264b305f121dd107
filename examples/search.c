/* Finds the first value above a limit. That `count` says how many `values` there are is seen from the names.
 * Try: tightrope inputs search.c:first_above, then tightrope generate search.c */

int first_above(const int *values, int count, int limit)
{
    if (!values)
        return -1;
    for (int i = 0; i < count; i++)
        if (values[i] > limit)
            return i;
    return count;
}
