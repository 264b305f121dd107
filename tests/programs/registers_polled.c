// function: wait_ready
// options: --max-runs 300
// A run that reads a register more often than it has answers proves nothing: there might be another answer.
#define STATUS (*(volatile unsigned *)0x40011000)

int wait_ready(int limit)
{
    int zeros = 0;
    while (!(STATUS & 1)) {  // expect branch: covered
        if (++zeros > limit)  // expect branch: covered
            return -1;
    }
    if (zeros == 6)  // expect branch(true): unknown
        return 1;
    return 0;
}
