// function: is_one
static int one(int n) { return n + 1; }
static int two(int n) { return n + 2; }
int is_one(int (*visit)(int))
{
    if (visit == one)  // expect branch: covered
        return 1;
    if (visit && visit != two)
        return 2;
    return 0;
}
