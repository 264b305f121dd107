// function: tagged
#include <stdint.h>
int tagged(void *a, int n)
{
    if (n)  // expect branch: covered
        return -1;
    uintptr_t number = (uintptr_t)a;
    if (number & 1)  // expect branch: unknown
        return 1;
    return 0;
}
