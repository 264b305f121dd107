// function: bump
// The pointer may lead to an element of the array.
int bump(int *values, int *one)
{
    values[2] = 7;
    *one = 8;
    if (values[2] == 8)  // expect branch(true): unknown
        return 1;
    return 0;
}
