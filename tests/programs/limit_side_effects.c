// function: step
// The values that are compared are those that were computed, not what the variables hold afterwards.
int step(unsigned char c, int k)
{
    int i = c;
    if (i++ > 255) // expect limit(equal): covered; limit(above): infeasible
        return 1;
    while (--k > 3 && i == 7) // expect limit: covered
        i++;
    return 0;
}
