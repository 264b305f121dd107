// function: mark
// options: --index-limit 4
int mark(unsigned char i, unsigned char j)
{
    unsigned char seen[12] = {0};
    if (i >= 12 || j >= 12)  // expect branch: covered
        return -1;
    seen[i] = 1;
    seen[j] = seen[j] + 1;
    if (seen[7] == 2)  // expect branch: covered
        return 1;
    if (seen[3] == 3)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    return 0;
}
