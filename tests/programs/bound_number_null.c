// function: tagged
// The number of NULL is known. Others may be odd.
#include <stdint.h>
int tagged(void *a, int n)
{
    if (n)  // expect branch: covered
        return -1;
    uintptr_t number = (uintptr_t)a;
    if (number & 1)  // expect branch: covered
        return 1;
    return 0;
}
