// function: total
// Only locals are written: pointers to const may be shared, and nothing changes.
static void add(int *sum, int value) { *sum += value > 0 ? 1 : 0; }

int total(const short *a, const int *b)
{
    int sum = 0;
    if (!a || !b)  // expect branch: covered
        return -1;
    add(&sum, *a);
    add(&sum, *b);
    if (sum > 2)  // expect branch(true): infeasible
        return 1;
    return sum;
}
