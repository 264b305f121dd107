// function: apply
// options: --input 'visit = not-null'
int apply(int (*visit)(int), int n)
{
    if (!visit)  // expect branch(false): unknown
        return -1;
    return visit(n) > 3;
}
