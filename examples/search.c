/* Finds the first value above a limit. What `values` points to, and how many there are, only callers know.
 * Try: tightrope generate search.c --pointer values=3 --assume 'count >= 0 && count <= 3' */

int first_above(const int *values, int count, int limit)
{
    if (!values)
        return -1;
    for (int i = 0; i < count; i++)
        if (values[i] > limit)
            return i;
    return count;
}
