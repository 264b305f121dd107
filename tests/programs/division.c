// function: ratio
// expect outcome: crashed
// expect outcome: returned
int ratio(int a, int b)
{
    int whole = a / b;
    if (whole == 3)  // expect branch: covered
        return 1;
    if (a % b == 2)  // expect branch: covered
        return 2;
    return 0;
}
