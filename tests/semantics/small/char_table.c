// assume: a < 64
// domain: a=0..63
static const char digits[] = "0123456789abcdef";
static const unsigned char kind[8] = {0, 1, 1, 2, 0, 4, 2, 1};
int f(unsigned char a)
{
    char high = digits[a >> 4], low = digits[a & 15];
    if (high > '3')
        return 1;
    if (low == 'c' && high == '2')
        return 2;
    if (kind[a & 7] == 3)
        return 3;
    if (kind[a & 7] == 2 && kind[a >> 3] == 4)
        return 4;
    return kind[kind[a & 7]] == 2;
}
