// domain: a=0..255
/* The counter wraps around; the loop ends all the same. */
int f(unsigned char a)
{
    unsigned char i;
    int n = 0;
    for (i = a; i != 4; i += 4)
        if (++n > 65 || (i & 3))
            break;
    if (n == 63)
        return 1;
    if (n > 63)
        return 2;
    return i < 4 && n > 1;
}
