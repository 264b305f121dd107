// function: sum
// Up to the next multiple of 8, byte by byte: how many bytes that are, nobody knows. What comes behind it is covered.
#include <stdint.h>
#include <string.h>
int sum(int n)
{
    unsigned char bytes[24];
    memset(bytes, n, sizeof bytes);
    const unsigned char *p = bytes;
    int total = 0;
    while ((uintptr_t)p & 7)  // expect branch: unknown
        total += *p++;
    if (n > 5)  // expect branch: covered
        return 1;
    return 0;
}
