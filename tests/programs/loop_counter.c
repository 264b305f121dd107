// function: first_negative
// A counter that goes up from 0 and stops below a limit is never negative, however long the array is.
int first_negative(const int *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (i < 0)  // expect branch(true): infeasible
            return -2;
        if (values[i] < 0)
            return i;
    }
    return -1;
}
