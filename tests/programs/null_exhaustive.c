// function: read_twice
// options: --exhaustive
int read_twice(const int *value)
{
    if (*value == 7)  // expect branch: covered
        return 1;
    if (*value == 7)  // expect branch(true): infeasible
        return 2;
    return 0;
}
