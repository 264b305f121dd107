// function: total
// Locals hold zeros while code is explored. In a plain build they hold anything, so that what depends on it is not confirmed,
// unless it happens to be the same.
int total(int k)
{
    int cells[3], set = 0;
    if (k > 3) {  // expect branch: covered
        cells[0] = cells[1] = cells[2] = k;
        set = 1;
    }
    if (!set)  // expect branch: covered
        return 0;
    if (cells[1] == 9)  // expect branch: covered
        return 1;
    return 2;
}
