// function: pick
// options: --input table=one
// expect outcome: crashed
// What `table` points to is one int here because that is the default; a caller may have more of them.
int pick(const int *table, int n)
{
    int chosen = table[n];
    if (n > 5)  // expect branch(true): unknown
        return chosen;
    return -1;
}
