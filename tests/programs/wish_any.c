// function: f
enum colour { RED, GREEN };
// tightrope: a = any
int f(enum colour a, enum colour b)
{
    if (a == 7)
        return 1;
    if (b == 7) // expect branch(true): infeasible
        return 2;
    return 0;
}
