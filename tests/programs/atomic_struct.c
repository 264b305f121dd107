// function: update
// No instruction reads this object whole: the compiler calls functions of libatomic. C cannot set its members, so the
// tests start with its initial value; and another thread may write between the two reads.
#include <stdatomic.h>
struct position { long x, y, z; };
static _Atomic struct position shared;
int update(long x, long limit)
{
    struct position now = shared;
    if (now.x > limit)  // expect branch: covered
        return 1;
    now.y = x;
    shared = now;
    struct position after = shared;
    if (after.y != x)   // expect branch(true): unknown
        return 2;
    return 0;
}
