// function: f
// options: --engine encoding
/* The long double has no encoding; that must not make zeros of what stands beside it. */
struct wide { long double big; int small; };
static const struct wide table[3] = {{1.5L, 5}, {2.5L, 6}, {0, 7}};

int f(int a, int b, int c)
{
    if (a == 1) { // expect branch: covered
        int small = table[b & 1].small;
        if (small > 3 && c == 123457) // expect branch#1(true): covered; branch#1(false): infeasible; branch#2: covered
            return 5;
        return 6;
    }
    if (a == 2) { // expect branch: covered
        if (table[b & 1].small > 5) // expect branch: covered
            return 7;
        return 8;
    }
    return 0;
}
