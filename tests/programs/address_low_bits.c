// function: mark
// What no address can change: bits below the alignment, marks in them, the way back to the pointer, distances in one object.
#include <stdint.h>
#include <stdlib.h>
int mark(int a, int n)
{
    int x = a, table[8] = {1, 2, 3};
    uintptr_t tagged = (uintptr_t)&x;
    if (tagged & 3)  // expect branch(true): infeasible; branch(false): covered
        return 1;
    tagged |= 1;
    if (!(tagged & 1))  // expect branch(true): covered; branch(false): infeasible
        return 2;
    if (*(int *)(tagged - 1) == 9)  // expect branch: covered
        return 3;
    int *p = table, *end = table + 8;
    while (p < end && p - table < n)  // expect branch: covered
        p++;
    if (end - p == 3)  // expect branch: covered
        return 4;
    if ((uintptr_t)end - (uintptr_t)p > 32)  // expect branch(true): infeasible; branch(false): covered
        return 5;
    if (p == NULL || &x == table)  // expect branch#1(true): infeasible; branch#1(false): covered
        return 6;
    return 0;
}
