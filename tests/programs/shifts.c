// function: rotate
unsigned rotate(unsigned x, int n, signed char s)
{
    unsigned turned = x << (n & 31) | x >> (-n & 31);
    if (turned == 0x80000001u && x == 3)  // expect branch: covered
        return 1;
    if ((s >> 3) == -16)  // expect branch: covered
        return 2;
    if ((unsigned char)(s << 1) & 1)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    if (turned == 0 && x != 0)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 4;
    return turned;
}
