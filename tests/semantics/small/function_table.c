// assume: a < 8 && b < 4
// domain: a=0..7 b=0..3
// unknown: shape
static int add(int x, int y) { return x + y; }
static int sub(int x, int y) { return x > y ? x - y : 0; }
static int mul(int x, int y) { return x * y; }
static int (*const table[4])(int, int) = {add, sub, mul, add};
int f(unsigned char a, unsigned char b)
{
    int (*op)(int, int) = table[b];
    int r = op(a, 3);
    if (b == 1 && r > 4)
        return 1;
    if (op == add && r == 3)
        return 2;
    if (op == sub && op(r, a))
        return 3;
    return op == mul ? r == 21 : r == 1;
}
