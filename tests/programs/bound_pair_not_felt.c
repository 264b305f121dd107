// function: compare
// What is only read may be shared: equal values are among those that were tried.
struct pair { int a, b; };
int compare(const struct pair *x, const struct pair *y)
{
    if (x->a < y->a)
        return -1;
    if (x->a > y->a)
        return 1;
    if (x->a != y->a)  // expect branch(true): infeasible
        return 2;
    return 0;
}
