// function: tagged
#include <stdint.h>
int tagged(void *a)
{
    uintptr_t number = (uintptr_t)a;
    if (number & 1)  // expect branch(true): unknown
        return 1;
    return 0;
}
