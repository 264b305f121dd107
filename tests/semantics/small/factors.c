// domain: a=0..255 b=0..255
/* 12091 is 107 * 113; 12101 is a prime. */
int f(unsigned char a, unsigned char b)
{
    int product = a * b;
    if (product == 12091 && a < b)
        return 1;
    if (product == 12101 && a > 1)
        return 2;
    if (product > 65025)
        return 3;
    return (a ^ b) == 255 && product == 16256;
}
