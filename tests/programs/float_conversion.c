// function: percent
int percent(int part, float scale)
{
    if (part < 0 || part > 1000)  // expect branch: covered
        return -1;
    if (!(scale > 0.0f && scale < 100.0f))  // expect branch: covered
        return -2;
    int result = (int)(part * scale);
    if (result == 250)  // expect branch: covered
        return 1;
    if (result < 0)  // expect branch(true): infeasible; branch(false): covered
        return -3;
    return 0;
}
