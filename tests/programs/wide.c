// function: checksum
long long checksum(unsigned long long x, long y)
{
    unsigned long long mixed = x * 0x9E3779B97F4A7C15ull;
    if (mixed == 1)  // expect branch: covered
        return 1;
    if ((int)x == -1 && x > 0xFFFFFFFFull)  // expect branch: covered
        return 2;
    if (y / 1000000007 == 5 && y % 1000000007 == 11)  // expect branch: covered
        return 3;
    if (y % 10 > 9)  // expect branch(true): infeasible; branch(false): covered
        return 4;
    return 0;
}
