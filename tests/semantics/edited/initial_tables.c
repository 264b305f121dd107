// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* What variables start with: tables of texts, functions and pointers that no caller can change, and static locals. */
#include <string.h>
typedef int (*rule)(int);
struct entry { const char *name; rule apply; unsigned char weight; };
static int same(int x) { return x; }
static int half(int x) { return x / 2; }
static const struct entry entries[3] = {{"same", same, 1}, {"half", half, 2}, {"none", 0, 3}};
static const unsigned char limits[2][2] = {{1, 2}, {3, 4}};
static const int *const chosen = (const int[]){4, 5, 6};
enum { FIRST = 1, SECOND = 3 };
static int count(int by)
{
    static int calls = 1, step = 2;
    calls += step * by;
    return calls;
}
int f(unsigned char a, unsigned char b)
{
    const struct entry *e = a < 3 ? &entries[a] : 0;
    int r = e && e->apply ? e->apply(b) * e->weight : -1;
    if (e && !strcmp(e->name, "half") && r > 1)
        return 1;
    if (r > limits[b & 1][a & 1])
        return 2;
    if (count(1) == SECOND && count(b) > 5)
        return 3;
    return chosen[b % 3] == a + FIRST + 3;
}
