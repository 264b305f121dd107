// function: claim
// Atomic data may change, as volatile data may.
#include <stdatomic.h>
int claim(_Atomic int *lock)
{
    if (*lock == 0)  // expect branch: covered
        return 1;
    if (*lock == 0)  // expect branch(true): unknown
        return 2;
    return 0;
}
