// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
#include <string.h>
int f(unsigned char a, unsigned char b)
{
    unsigned word = a * 0x01010101u;
    unsigned char bytes[4];
    memcpy(bytes, &word, 4);
    bytes[b & 3] = b;
    memcpy(&word, bytes, sizeof word);
    if (word == 0x07030707u)
        return 1;
    if (word >> 24 != a && (b & 3) != 3)
        return 2;
    unsigned short half;
    memcpy(&half, bytes + 1, 2);
    return half == 0x0502 && a == 5;
}
