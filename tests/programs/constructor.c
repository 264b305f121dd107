// function: ready
// A function that runs before the program may have done anything; no run of ours calls it.
static int opened;

__attribute__((constructor)) static void open_all(void)
{
    opened++;
}

int ready(unsigned char a)
{
    if (a > 3 && a < 3)  // expect branch#1: covered; branch#2(true): unknown; branch#2(false): covered
        return opened;
    return 0;
}
