// function: swap
// What the compiler calls for an atomic struct, on locals: no other thread sees them, but our models say that they
// take it for granted.
#include <stdatomic.h>
struct pair { long a, b, c; };
int swap(long x, long y)
{
    _Atomic struct pair box;
    atomic_init(&box, ((struct pair){x, 1, 2}));
    struct pair other = {y, 1, 2};
    struct pair before = atomic_exchange(&box, other);
    if (before.a == 77)  // expect branch: covered
        return 1;
    struct pair expected = {5, 1, 2}, wanted = {6, 0, 0};
    if (atomic_compare_exchange_strong(&box, &expected, wanted)) {  // expect branch: covered
        struct pair now = box;
        if (now.a == 6)  // expect branch(false): infeasible
            return 2;
        return 3;
    }
    if (expected.a == y)  // expect branch(false): infeasible
        return 4;
    return 5;
}
