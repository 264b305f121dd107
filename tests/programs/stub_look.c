// function: check
// Where a pointer is to const, nobody writes.
extern int look(const int *value);

int check(int n)
{
    int value = n;
    if (look(&value) < 0) // expect branch: covered
        return -2;
    if (value > 5 && n < 3) // expect branch#2(true): infeasible
        return 1;
    return 0;
}
