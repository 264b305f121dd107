// function: f
/* No run needs more than the 12 elements that the loop reads, so what is left is infeasible. */
int f(const unsigned char *key)
{
    int i, sum = 0;
    if (!key)
        return -1;
    for (i = 0; i < 12; i++)
        sum += key[i] & 3;
    if (sum > 36)                                       // expect branch(true): infeasible
        return 1;
    if (sum == 36)                                      // expect branch: covered
        return 2;
    return 0;
}
