// function: sum_until
// `values, count`: by their names, one tells the length of the other.
int sum_until(const int *values, int count)
{
    int sum = 0;
    if (!values || count < 0)  // expect branch: covered
        return -1;
    for (int at = 0; at < count; at++) {
        if (values[at] == 99)
            return sum;
        sum += values[at];
    }
    if (count == 8 && sum == 8)
        return 1;
    return sum;
}
