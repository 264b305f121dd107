// function: choose
// A local array gets numbers of addresses from a constant, and an input chooses one.
#include <stdint.h>
static int table[4];
static int other;
int choose(int i)
{
    const uintptr_t places[2] = {(uintptr_t)table, (uintptr_t)&other};
    if ((places[i & 1] & 3) != 0) // expect branch(true): unknown; branch(false): covered
        return 1;
    if (i == 6) // expect branch: covered
        return 2;
    if ((places[i & 1] & 32) != 0) // expect branch: unknown
        return 3;
    return 4;
}
