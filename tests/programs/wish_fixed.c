// function: f
static int level = 3;
// tightrope: level = fixed
int f(int a)
{
    if (a > level)
        return 1;
    if (level != 3) // expect branch(true): unknown
        return 2;
    return 0;
}
