// function: share
// Behind the first condition every run divides by zero, so no test shows anything.
// expect outcome: crashed
int share(int on, int is_wired)
{
    int parts = 0;
    if (!is_wired)  // expect branch(true): unknown
        return 0;
    if (on)  // expect branch: unknown
        parts = -parts;
    return 10 / parts;  // expect outcome(division by zero): crashed
}
