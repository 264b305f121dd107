// function: channel
// options: --max-runs 300
// An address beyond the registers that are known: nothing is there, and nothing is proved about what comes after it.
#define CHANNELS ((volatile unsigned *)0x40020000)

int channel(unsigned n, unsigned value)
{
    if (n > 40)  // expect branch: covered
        return -1;
    if (CHANNELS[n] > value)  // expect branch: covered
        if (n > 30)  // expect branch(true): unknown
            return 1;
    return 0;
}
