// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
int f(unsigned char a, unsigned char b)
{
    int n = 0;
    for (int i = 0; i < a; i++)
        for (int j = i; j < b; j++) {
            if (i + j == 5)
                return 1;
            if (j < i)
                return 2;
            if (i == 2 && j == 2 && n == 5)
                return 3;
            n++;
        }
    return n > 6 || n == 4;
}
