// function: beyond
// Of a long array only the first elements are inputs.
int table[300];
int beyond(void)
{
    if (table[200] == 4)  // expect branch(true): unknown
        return 1;
    return 0;
}
