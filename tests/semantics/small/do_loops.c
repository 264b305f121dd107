// assume: a < 8 && b < 4
// domain: a=0..7 b=0..3
int f(unsigned char a, unsigned char b)
{
    int n = 0, m = 0;
    do {
        do {
            if (m++ > 6)
                goto out;
        } while (m % 3 != b && m < 5);
        if (n == 2)
            continue;
        m -= b;
    } while (++n < a && m < 6);
out:
    if (n == 0)
        return m == 8;
    if (n > 4 && m < 2)
        return 1;
    return n == 3 && m == 6;
}
