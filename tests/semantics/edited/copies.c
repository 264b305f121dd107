// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
// unknown: runs_died
/* Copies of whole records, some through pointers that may be NULL, and writes to constants. */
#include <string.h>
struct part { int size[3]; char name[4]; };
static const struct part usual = {{1, 2, 3}, "abc"};
static struct part parts[2];
static struct part *choose(int a)
{
    return a < 2 ? &parts[a] : a < 6 ? (struct part *)&usual : NULL;
}
static int total(struct part part)
{
    return part.size[0] + part.size[1] * 2;
}
int f(unsigned char a, unsigned char b)
{
    struct part mine = usual, other;
    memset(&other, 0, sizeof other);
    other.size[0] = a;
    if (b > 3)
        mine = other;
    if (total(mine) > 5)
        return 1;
    struct part *chosen = choose(a);
    if (b == 1)
        other = *chosen;
    if (other.size[1] == 2)
        return 2;
    if (b == 2)
        chosen->size[1] = b;
    if (b == 7 && chosen)
        memcpy(chosen, &mine, sizeof mine);
    if (a + b == 9)
        return 3;
    return parts[0].size[1] > 1 || a == 7;
}
