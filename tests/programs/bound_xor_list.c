// function: both
// Where the objects lie is unknown; but if both pointers lead to one, their numbers are equal.
#include <stdint.h>
struct node { int value; };
int both(const struct node *a, const struct node *b)
{
    if (!a || !b)
        return 0;
    if (((uintptr_t)a ^ (uintptr_t)b) == 64)  // expect branch(true): unknown; branch(false): covered
        return 1;
    return 0;
}
