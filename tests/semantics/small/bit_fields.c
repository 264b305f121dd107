// assume: a < 16 && b < 16
// domain: a=0..15 b=0..15
struct bits { unsigned low : 3; signed mid : 2; unsigned : 0; unsigned high : 5; _Bool flag : 1; };
int f(unsigned char a, unsigned char b)
{
    struct bits v = {0};
    v.low = a;
    v.mid = b;
    v.high = a * b;
    v.flag = a > b;
    if (v.low == 7 && a == 15)
        return 1;
    if (v.mid > 1)
        return 2;
    if (v.mid == -2 && v.high == 24)
        return 3;
    if (v.low > a)
        return 4;
    v.low++;
    return v.low == 0 && !v.flag && v.mid == -1;
}
