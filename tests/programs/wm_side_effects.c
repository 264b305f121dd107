// function: step
// What has side effects is evaluated once; mutants of it are told apart by the values that it had.
int step(int x, int y, int e, int f)
{
    if (x++ <= y && e == f) // expect wm: covered
        return 1;
    return 0;
}
