// function: where
// The compiler folds the number of an address into a constant. No more is promised about it than about any other address.
#include <stdint.h>
static int table[4];
static int other;
static const uintptr_t places[2] = {(uintptr_t)table, (uintptr_t)&other};
int where(int a, int i)
{
    char *nowhere = 0;
    if ((uintptr_t)table & 3) // expect branch(true): infeasible; branch(false): covered
        return 1;
    switch (a) {
    case 1:
        return (uintptr_t)table % 7 == 3 ? 2 : 3; // expect branch: unknown
    case 2:
        return ((uintptr_t)&other & 64) != 0 ? 4 : 5; // expect branch: unknown
    case 3:
        return ((char *)&table[1] - nowhere) % 3 == 1 ? 6 : 7; // expect branch: unknown
    case 4:
        return (char *)&other - (char *)table > 0 ? 8 : 9; // expect branch: unknown
    case 5:
        return (uintptr_t) "text" & 1 ? 10 : 11; // expect branch: unknown
    case 6:
        return (uintptr_t)where & 32 ? 12 : 13; // expect branch: unknown
    case 7:
        return ((i > 0 ? (uintptr_t)table : (uintptr_t)&other) >> 4 & 1) != 0 ? 14 : 15; // expect branch#2: unknown
    case 8:
        return (places[i & 1] & 32) != 0 ? 16 : 17; // expect branch: unknown
    case 9:
        return ((int)(uintptr_t)table ^ a) == 5 ? 18 : 19; // expect branch: unknown
    default:
        return 0;
    }
}
