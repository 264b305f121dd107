// function: move
// The sum of an address and a distance may be the address of another variable.
#include <stdint.h>
int from, to;
int move(uintptr_t distance, int value)
{
    to = 1;
    *(int *)((uintptr_t)&from + distance) = value;
    if (to == 7)  // expect branch(true): unknown; branch(false): covered
        return 1;
    if (value == 7 && value != 7)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 2;
    return 0;
}
