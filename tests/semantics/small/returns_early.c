// assume: a < 16
// domain: a=0..15
static int classify(int x)
{
    if (x < 3)
        return 1;
    for (int i = 3; i < 10; i += 3) {
        if (x == i)
            return 2;
        if (x < i)
            return 3;
    }
    return x & 1 ? 4 : 5;
}
int f(unsigned char a)
{
    int one = classify(a), other = classify(a + 1), half = classify(a / 2);
    if (one == 2 && other == 2)
        return 1;
    if (one == 4 && other != 5)
        return 2;
    if (half == 4)
        return 3;
    return one == 1 && other == 2 ? 5 : half == 2;
}
