// assume: a < 8
// domain: a=0..7
static int left(int n, int *sum);
static int right(int n, int *sum) { *sum += n; return n > 2 ? left(n - 2, sum) : n; }
static int left(int n, int *sum) { *sum ^= 1; return n > 1 ? right(n - 1, sum) : -n; }
int f(unsigned char a)
{
    int sum = 0, end = left(a, &sum);
    if (end == -1 && sum > 5)
        return 1;
    if (end == 0 && sum != 1)
        return 2;
    return end == 2 ? sum == 3 : sum;
}
