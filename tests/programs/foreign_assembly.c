// function: swap_level
// Assembly of another processor: what it writes to a register is an input, like the answer of a stub.
#include <stdint.h>

static uint32_t level(void)
{
    uint32_t found;
    __asm volatile("mrs %0, basepri" : "=r"(found));
    return found;
}

int swap_level(uint32_t wanted)
{
    uint32_t before = level();
    __asm volatile("cpsid i\n\tdsb 0xF" ::: "memory");
    if (wanted > 3 && before == 77)                         // expect branch: covered
        __asm volatile("msr basepri, %0" :: "r"(wanted) : "memory");
    if (wanted > 3 && wanted < 2)                           // expect branch#2(true): infeasible
        return 2;
    if (before == level())                                  // expect branch: covered
        return 1;
    return 0;
}
