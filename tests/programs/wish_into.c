// function: count
// options: --input 'last = into first'
/* tightrope: first = not-null, array 2 */
int count(const char *last, const char *first)
{
    int n = 0;
    while (first < last)
        n += *first++ == 'x';
    if (n == 2)
        return 1;
    if (n > 2) // expect branch(true): infeasible
        return 2;
    return 0;
}
