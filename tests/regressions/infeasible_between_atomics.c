// function: enter
// Another thread may change the lock between the two: an atomic update reads as an atomic load does.
#include <stdatomic.h>

static _Atomic int lock;

int enter(unsigned char n)
{
    atomic_store(&lock, 0);
    if (atomic_fetch_add(&lock, 1) != 0)  // expect branch(true): unknown; branch(false): covered
        return 1;
    if (n > 3)  // expect branch: covered
        return 2;
    return 0;
}
