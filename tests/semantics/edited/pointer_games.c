// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
// unknown: shape
/* Pointers as bytes, in unions, to members, from one member to another, in tables of pointers. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
struct inner { short x, y; };
struct outer { int first; struct inner in; int *link; };
static int one = 1, two = 2;
static struct outer *around(struct inner *in)
{
    return (struct outer *)(void *)((char *)in - offsetof(struct outer, in));
}
static void set(void *where, int value) { *(int *)where = value; }
int f(unsigned char a, unsigned char b)
{
    one = 1;
    two = 2;
    struct outer o = {a, {1, 2}, &one}, copy;
    int *table[2] = {&one, &two};
    union { int *p; uintptr_t n; } u;
    u.p = table[b & 1];
    set(table[a & 1], 5);
    if (*(int *)u.n == 5)
        return 1;
    memcpy(&copy, &o, sizeof o);
    *copy.link = 7;
    if (one == 7 && b == 2)
        around(&o.in)->first = 9;
    if (o.first == 9 || copy.in.y == b)
        return 2;
    short *s = &o.in.x;
    s[1] = (short)b;
    int **pp = &table[1];
    pp[-1] = &two;
    return o.in.y == 3 || *table[0] == 5;
}
