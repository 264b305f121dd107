// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
int f(unsigned char a, unsigned char b)
{
    int i, j;
    for (i = 0, j = a; i < j; i++, j -= (b & 1) ? 2 : 1)
        if (i == 3)
            break;
    if ((i++, i) == 4 && j == 4)
        return 1;
    int z = a > b ? b > 4 ? 3 : a == 6 ? 2 : 1 : 0;
    return z == 2 && b > 4 ? 5 : z;
}
