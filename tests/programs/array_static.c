// function: first_positive
// `static 3` says that there are at least three elements, so that C forbids NULL.
int first_positive(const int values[static 3])
{
    if (!values)  // expect branch(false): infeasible
        return -2;
    for (int at = 0; at < 3; at++)  // expect branch: covered
        if (values[at] > 0)
            return at;
    return -1;
}
