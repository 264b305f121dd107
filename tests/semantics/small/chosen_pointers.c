// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* What is read through a choice of pointers is what is there at the chosen one, after writes through it and beside it. */
#include <string.h>

struct text { int length, kind, rest[6]; };

/* The compiler cannot read at both before it knows which one is meant: the index is a number. */
static int in_pool(unsigned char a, unsigned char b)
{
    struct text pool[4] = {0}, empty = {7};
    pool[b & 3].length = a;
    struct text *r = a & 1 ? &pool[b & 3] : &empty;
    if ((a & 1) && r->length == 3)
        return 1;
    if (!(a & 1) && r->length == 7)
        return 2;
    return (a & 1) && r->length == 7;
}

int f(unsigned char a, unsigned char b)
{
    if (in_pool(a, b) == 1 && b == 3)
        return 8;
    struct text none = {0}, some = {a, b}, kept = some, *slots[4] = {0, 0, &kept, 0};
    struct text *p = slots[b];
    if ((p ? p : &none)->length == 2)
        return 1;
    if ((a & 1 ? &none : &some)->kind == 1)
        return 2;
    if ((p ? p : &none)->kind > 2 && a == 3)
        return 3;
    struct text *q = p ? p : &none;
    q->length = 5;
    if (none.length == 5 && !p)
        return 4;
    memset(q, 0, sizeof *q);
    if ((p ? p : &none)->length == 5)
        return 5;
    if (kept.length == a && a)
        return 6;
    return 7;
}
