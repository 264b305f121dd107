// function: kind
// Some bytes of an object are tried as the place to which a pointer leads. Others have other low bits.
#include <stdint.h>

int kind(const uint8_t *data, int n)
{
    if (((uintptr_t)data & 7) == 3)     // expect branch(true): unknown; branch(false): covered
        return 1;
    if (((uintptr_t)data & 15) == 15)   // expect branch(true): unknown; branch(false): covered
        return 2;
    if (((uintptr_t)data & 7) == 4)     // expect branch: covered
        return 3;
    return n > 3;
}
