// function: same_page
// An address as a number. That of NULL is known.
#include <stdint.h>
int same_page(const int *a, int n)
{
    if (n)  // expect branch: covered
        return -1;
    uintptr_t number = (uintptr_t)a;
    if (number % 4096 == 4)  // expect branch(true): unknown; branch(false): covered
        return 1;
    return 0;
}
