// function: ask
// A missing `return` is an error where the result is used; the caller may ignore it.
static int sign(int a)
{
    if (a > 0)
        return 1;
    if (a < 0)
        return -1;
}
int ask(int a, int mode)
{
    if (mode == 1)  // expect branch: covered
        sign(a);
    if (mode == 2 && sign(a) > 0)  // expect branch: covered; outcome(use of an uninitialised value: the result of a function that ended without `return`): crashed
        return 5;
    return 6;
}
