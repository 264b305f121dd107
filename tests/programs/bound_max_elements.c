// function: beyond
// options: --max-elements 4
int beyond(const int values[10])
{
    if (values[8] == 3)  // expect branch(true): unknown
        return 1;
    return 0;
}
