// function: ready
// options: --assume 'a < 8'
// A function that runs before the program may have done anything; no run of ours calls it.
static int opened;

__attribute__((constructor)) static void open_all(void)
{
    opened++;
}

int ready(unsigned char a)
{
    unsigned char n = 0;
    while (n < a)
        n++;
    if (n > a)  // expect branch(true): unknown
        return opened;
    if (a > 3 && a < 3)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return -1;
    return 0;
}
