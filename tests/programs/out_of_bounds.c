// function: pick
// expect outcome: crashed
// expect outcome: returned
int pick(int index)
{
    static const int values[4] = {4, 8, 15, 16};
    if (index > 4)  // expect branch: covered
        return -1;
    if (index < 0)  // expect branch: covered
        return -2;
    if (values[index] == 15)  // expect branch: covered
        return 1;
    return 0;
}
