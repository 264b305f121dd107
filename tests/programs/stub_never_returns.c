// function: check
// expect outcome: exited
// A function that is declared not to return ends the run.
extern void panic(const char *reason) __attribute__((noreturn));

int check(int n)
{
    if (n > 100) // expect branch: covered
        panic("too large");
    if (n > 200) // expect branch(true): infeasible
        return 1;
    return 0;
}
