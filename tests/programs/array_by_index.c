// function: find
// The code moves an index: the pointer leads to an array.
int find(const int *values, unsigned wanted)
{
    for (unsigned at = 0; at < 3; at++)
        if (values[at] == 77 && at == wanted)  // expect branch: covered
            return (int)at;
    return -1;
}
