// assume: n < 6 && k < 4
// domain: n=0..5 k=0..3
/* Recursion through two functions, with a global that both change. */
static int depth, most;
static int odd(int n, int k);
static int even(int n, int k)
{
    depth++;
    if (depth > most)
        most = depth;
    int r = n <= 0 ? k : odd(n - 1, k) + 1;
    depth--;
    return r;
}
static int odd(int n, int k)
{
    if (n <= 0)
        return -k;
    if (k == 3 && n == 2)
        return 0;
    return even(n - 1, k);
}
int f(unsigned char n, unsigned char k)
{
    depth = most = 0;
    int r = even(n, k);
    if (most > 2 && r > 0)
        return 1;
    if (r == 0 || depth)
        return 2;
    return most == 2;
}
