// function: level
// options: --input p=not-null
// What lies behind the check does not come back: the second branch does not depend on it.
int level(const unsigned char *p)
{
    if (!p)  // expect branch(false): unknown
        return -1;
    int percent = *p * 100 / 255;
    if (percent > 100)  // expect branch(true): infeasible
        return 100;
    return percent;
}
