// function: same_bytes
// Equal addresses are seen through the bytes of two pointers.
#include <string.h>
struct holder { int *one; long number; };
int same_bytes(const struct holder *a, const struct holder *b)
{
    if (!a || !b || !a->one || !b->one)
        return 0;
    if (memcmp(&a->one, &b->one, sizeof a->one) == 0)  // expect branch: covered
        return 1;
    return 0;
}
