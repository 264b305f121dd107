// function: apply
// options: --input 'visit = functions twice half'
static int twice(int n) { return 2 * n; }
static int half(int n) { return n / 2; }
int apply(int (*visit)(int), int n)
{
    if (!visit)  // expect branch: covered
        return twice(n) + half(n);
    if (visit(n) == 10 && n == 5)
        return 1;
    if (visit(n) == 10 && n == 20)
        return 2;
    return 0;
}
