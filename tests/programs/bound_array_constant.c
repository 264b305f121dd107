// function: at_ten
// The loop reads up to 101 elements, of which the first 64 are inputs.
int at_ten(const int *values)
{
    int sum = 0;
    for (int at = 0; values[at] && at < 100; at++)  // expect branch#2(false): unknown
        sum++;
    if (sum > 50)  // expect branch: covered
        return 1;
    return 0;
}
