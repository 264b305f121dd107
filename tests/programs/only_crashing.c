// function: led
// Writes through an address that is no device, because the data is not volatile: every run crashes, so no test shows
// anything.
// expect outcome: crashed
static int *const port = (int *)0x40020018;
void led(int on, int is_wired)
{
    if (!is_wired)  // expect branch(true): unknown
        port[1] = port[2];
    if (on)                  // expect branch: unknown
        port[0] = port[3];   // expect outcome(SIGSEGV): crashed
    else
        port[0] = port[4];
}
