// function: total
/* `count` is at most 3: no run leaves the array, and the loop ends. */
// tightrope: data = not-null, array 3, length count
int total(const short *data, unsigned count)
{
    int sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += data[i] > 0;
    if (sum == 3)
        return 1;
    if (sum > 3) // expect branch(true): infeasible
        return 2;
    return 0;
}
