// function: either
// options: --max-runs 300
// One function accesses a register and volatile memory: as always, nothing is proved about volatile memory.
#define STATUS ((volatile int *)0x40020000)

static volatile int here;
static int get(volatile int *from) { return *from; }

int either(int n)
{
    if (get(STATUS) == n)  // expect branch: covered
        return 1;
    if (get(&here) == n)  // expect branch: covered
        return 2;
    if (get(&here) == n)  // expect branch(true): unknown
        return 3;
    return 0;
}
