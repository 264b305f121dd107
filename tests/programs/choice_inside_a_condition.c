// function: choose
/* The last condition of each decision chooses between two numbers, and always has one value, which no constant shows:
   everything that needs the other value is infeasible. */
static const char *const words[4] = {"a", "bc", "xyz", ""};

static int add(int a, int b) { return a + b; }
static int cross(int a, int b) { return a ^ b; }
static int (*const table[4])(int, int) = {add, add, cross, add};
static unsigned power(unsigned n, unsigned a) { return n == 0 ? a : power(n - 1, a * 3 + n); }

int choose(unsigned char n)
{
    int v = 7, two = 2, sum = 0;
    unsigned short w = 9;
    union { int i; unsigned char bytes[4]; } either;

    either.i = 7;
    if (n != (w & n) ||  // expect mcdc(true): covered; mcdc(false): infeasible
        (127 << (table[two & 3](v, two) & 7) <= 1) ||  // expect mcdc: infeasible
        either.i >= (v ? __builtin_ctz(w | 1u) : 3))  // expect mcdc#1(true): covered; mcdc#1(false): infeasible; mcdc#2(true): covered; mcdc#2(false): infeasible
        sum++;
    either.i = words[n & 3][0];
    if (n != 3 &&  // expect mcdc(true): infeasible; mcdc(false): covered
        (either.bytes[0] & (n ? __builtin_ctz(n | 1u) : 3)) <= (int)power(two, -32768))  // expect mcdc#1(true): infeasible; mcdc#1(false): covered; mcdc#2: covered
        sum += 2;
    return sum;
}
