// function: sum
// Code that asks how a buffer is aligned gets buffers that are not, too: which of its bytes the pointer leads to is an
// input, and the low bits of that address are the same in every build.
#include <stddef.h>
#include <stdint.h>

unsigned sum(const void *data, int length)
{
    const uint8_t *at = data;
    unsigned total = 0;
    if (data == NULL || length < 0 || length > 3)
        return 0;
    if (((uintptr_t)at & 1) && length > 0) {                        // expect branch: covered; mcdc: covered
        total = *at++;
        length--;
    }
    while (length-- > 0)
        total += *at++;
    if ((void *)(((uintptr_t)data + 3) & ~(uintptr_t)3) == data)    // expect branch: covered
        total++;
    return total;
}
