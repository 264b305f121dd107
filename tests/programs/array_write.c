// function: histogram
int histogram(const unsigned char text[3])
{
    int counts[4] = {0};
    for (int i = 0; i < 3; i++)  // expect branch: covered
        counts[text[i] & 3]++;
    if (counts[0] == 2 && counts[3] == 1)  // expect branch: covered
        return 1;
    if (counts[1] + counts[2] > 3)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    return 0;
}
