/* Decisions of every kind, judged by llvm-cov: see test_llvm_cov.py. */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#define BOTH(x, y) ((x) && (y))
#define EITHER(x, y) ((x) || (y))
#define IMPLIES(x, y) (!(x) || (y))
#define NESTED(x, y, z) EITHER(BOTH(x, y), BOTH(y, z))
#define COUNT_TWICE(x, y) if ((x) && (y)) r++; if ((x) || (y)) r--
#define likely(x) __builtin_expect(!!(x), 1)
#define LIMIT 10
enum level { LOW, HIGH = 3 };

static int same(int value) { return value; }

int plain(int a, int b, int c)
{
    int r = 0;
    if (a > 3)
        r++;
    if (a && b)
        r++;
    if ((a && b) || c)
        r++;
    if (!a && !(b > 2))
        r++;
    if (!(a || b || c))
        r++;
    if ((a || b) && (b || c) && a != c)
        r++;
    return r;
}

int values(int a, int b, unsigned c)
{
    bool x = a && !b;
    int y = same(a || c > 7u);
    static const int table[2] = {4, 5};
    int z = table[a && b];
    x = x || (y && c);
    switch (a < b && c) {
    case 0: z++;
    }
    z += a && c ? y : z;
    return x || z > 4 || y;
}

int loops(int n, int limit)
{
    int sum = 0;
    for (int i = 0; i < n && i < 4; i++)
        sum += i;
    while (sum > limit && limit > -3 && sum < 100)
        sum--;
    do
        sum++;
    while (sum < 3 && n);
    return sum;
}

int macros(int a, int b, int c)
{
    int r = 0;
    if (BOTH(a, b) || c)
        r++;
    if (NESTED(a > 1, b > 2, c > 3))
        r++;
    COUNT_TWICE(a, c);
    COUNT_TWICE(b > a, c > b); if (IMPLIES(a, c)) r++;
    if (likely(a && b) && c)
        r++;
    if (likely(a || c))
        r++;
    return r;
}

int constants(int a, int b)
{
    int r = 0;
    if (a && 1 && b)
        r++;
    if (0 || a || b > 3)
        r++;
    if (a && LIMIT > 20 && b)
        r++;
    if (a || sizeof(int) == 4 || b)
        r++;
    if (LOW || (HIGH && a && b))
        r++;
    while (1)
        if (a-- < 3 || b-- < 3)
            break;
    return r;
}

int operators(int a, int b, bool c)
{
    int r = 0;
    if ((a && b) ^ c)
        r++;
    if ((a > 3) == (b > 3))
        r++;
    if ((a && c) != (b || c))
        r++;
    if ((a > 1) & (b > 1))
        r++;
    if (((a > 1) | (b < 1)) && c)
        r++;
    if ((c ? a > 1 : b > 1) && a != b)
        r++;
    if (c ? a && b : a || b)
        r++;
    if (c && (a ^ b))
        r++;
    return r;
}

int nested(int a, int b, int c)
{
    int r = 0;
    if (same(a && b) && c)
        r++;
    if (!(a && b) || c)
        r++;
    if ((r++, a || b) && c)
        r++;
    if (({ int q = a && c; q > b; }) || a)
        r++;
    if ((a > 2 ? b : c) > 3 && a)
        r++;
    r += !(a && b) ? 2 : c;
    r += !(a || c);
    return r;
}

struct node { const struct node *next; double weight; };

int pointers(const struct node *node, const char *name)
{
    if (node && node->weight > 1.5 && node->weight < 1e9)
        return 1;
    if (name && *name && name[1] == 'x')
        return 2;
    if (!node || (node->weight && !name))
        return 3;
    return 4;
}

/* Conditions that depend on each other: not everything can be shown. */
int coupled(int a, int b)
{
    int r = 0;
    if (a > 3 || a < 10)
        r++;
    if (a == 1 || a == 2 || (a > 2 && b))
        r++;
    if ((a > 0 && b) || (a <= 0 && !b))
        r++;
    if (a > 5 && b && a > 3)
        r++;
    return r;
}

int asserted(unsigned char a, unsigned char b)
{
    assert(a < 200 && b != 7);
    return a / (1 + (b && a > 3));
}

/* A decision that is evaluated again while it is being evaluated. */
int recursive(unsigned char n, int a)
{
    if (n > 0 && n < 3 && recursive(n - 1, a + 1) > 0 && a > 4)
        return 2;
    return a > 3 || n == 2;
}

struct flags { unsigned on : 1; int level : 3; };

int types(double d, float e, struct flags flags, unsigned char u, long long w)
{
    int r = 0;
    if (d == d && !(d > 1.5) && e)
        r++;
    if (flags.on && flags.level < 0)
        r++;
    if (u == 'a' || (u >= '0' && u <= '9'))
        r++;
    if (w > 0x7fffffffLL || (w && u))
        r++;
    if ((unsigned)w > 4000000000u && (bool)u)
        r++;
    return r;
}

static int twice(int v) { return 2 * v; }

int calls(int a, int (*callback)(int))
{
    int shared = a;
    if (callback && callback(a) == 4)
        return 1;
    if (shared > 2 && twice(shared) < 12 && same(a))
        return 2;
    return a > 2 || shared;
}
