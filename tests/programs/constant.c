// function: traced
static const int debug = 0;

int traced(int x)
{
    int level = debug;
    if (level > 0)  // expect branch(true): infeasible; branch(false): covered
        x = -x;
    if (x == 7)  // expect branch: covered
        return 1;
    return 0;
}
