// function: f
static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }
static int three(int x) { return x + 3; }
/* tightrope: g = not-null, functions one two */
int f(int (*g)(int))
{
    int r = g(0);
    if (r == 1)
        return 10;
    if (r == 2) // expect branch(false): unknown
        return 20;
    if (r == 3) // expect branch: unknown
        return three(0);
    return 0;
}
