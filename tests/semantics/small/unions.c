// assume: a < 16 && b < 4
// domain: a=0..15 b=0..3
union any { unsigned word; unsigned char byte[4]; float real; struct { short lo, hi; } half; };
int f(unsigned char a, unsigned char b)
{
    union any u = {0};
    u.byte[b] = (unsigned char)(a << 4);
    if (u.word == 0xf00000u)
        return 1;
    if (u.half.hi < 0 && b == 3)
        return 2;
    if (u.half.hi && b < 2)
        return 3;
    u.real = a;
    if (u.word >> 23 == 130 && a < 8)
        return 4;
    return u.byte[3] == 0x41 && (u.byte[2] & 0x70) == 0x70;
}
