// function: led
// Writes to a device register, which does not exist here: every run crashes, so no test shows anything.
// expect outcome: crashed
void led(int on, int is_wired)
{
    if (!is_wired)  // expect branch(true): unknown
        return;
    if (on)                                      // expect branch: unknown
        *(volatile unsigned *)0x40020018 = 1;    // expect outcome(SIGSEGV): crashed
    else
        *(volatile unsigned *)0x40020018 = 0;
}
