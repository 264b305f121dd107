// function: is_special
// A caller may give a function that is not among those that were offered, or no function at all.
static int special(long n) { return (int)n; }
int is_special(int (*visit)(int), int (*handler)(void))
{
    if ((void *)visit == (void *)special)  // expect branch(true): unknown
        return 1;
    if (handler == (int (*)(void))-1)  // expect branch(true): unknown
        return 2;
    return 0;
}
