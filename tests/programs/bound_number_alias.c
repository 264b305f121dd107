// function: same_page
// An address as a number.
#include <stdint.h>
int same_page(const int *a)
{
    uintptr_t number = (uintptr_t)a;
    if (number % 4096 == 4)  // expect branch(true): unknown
        return 1;
    return 0;
}
