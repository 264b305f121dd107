// function: apply
// options: --input 'visit = stub'
// A stub stands for any function that a pointer could lead to.
static int twice(int n) { return 2 * n; }

int apply(int (*visit)(int), int n)
{
    if (!visit) // expect branch: covered
        return twice(n);
    int first = visit(n), second = visit(n + 1);
    if (first == 12345 && second == -1)
        return 1;
    return 0;
}
