// assume: a < 8
// domain: a=0..7
int f(unsigned char a)
{
    for (unsigned n = 1;; n = n * 2 + a) {
        if (n > 30)
            return n == 31 || n == 38;
        if (n % 7 == 0 && n)
            return a == 4;
        if (n == a && a == 5)
            return 9;
    }
}
