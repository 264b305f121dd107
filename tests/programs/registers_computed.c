// function: second
// options: --max-runs 300
// The address of a variable, computed as a number, is no address of a register: it stays volatile memory.
#include <stdint.h>

#define CONTROL (*(volatile int *)0x40020000)

static volatile int table[32];
static volatile int *behind(volatile int *at) { return (volatile int *)((uintptr_t)at + 64); }

int second(int n)
{
    volatile int *other = behind(table);
    CONTROL = 1;
    if (*other == n)  // expect branch: covered
        return 1;
    if (*other == n)  // expect branch(true): unknown
        return 2;
    return 0;
}
