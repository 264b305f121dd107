// function: same_page
// An address as a number.
#include <stdint.h>
int same_page(const int *a, int n)
{
    if (n)  // expect branch: covered
        return -1;
    uintptr_t number = (uintptr_t)a;
    if (number % 4096 == 4)  // expect branch: unknown
        return 1;
    return 0;
}
