// function: pick
// A local that nothing has written holds anything: a run that decides on it ends there, covers nothing and proves nothing.
// expect outcome: crashed
int pick(int a)
{
    int x;
    if (a > 3)  // expect branch(true): covered; branch(false): unknown
        x = 1;
    if (!x)  // expect branch(true): covered; branch(false): unknown; outcome(use of an uninitialised value: nothing has written `x`): crashed
        return 1;
    return 2;
}
