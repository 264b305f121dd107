// assume: a < 8 && b < 8
// domain: a=0..7 b=0..7
// unknown: runs_died
/* Pointers that were used before a branch, and may lead nowhere in the next iteration, or on another way. */
#include <stddef.h>
struct item { struct item *next; int key, other; };
static struct item pool[3] = {{&pool[1], 1, 4}, {&pool[2], 3, 0}, {0, 5, 2}};
static struct item *find(int key)
{
    struct item *item = pool;
    while (item && item->key != key)
        item = item->next;
    return item;
}
static int nearest(int key, int bonus)
{
    struct item *below = find(key), *above = find(key + 2);
    if (above == NULL || (below != NULL && key + below->key <= above->key + bonus))
        return below->key;
    return above->key;
}
static int walk(struct item *item, int mask, int limit)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        if (mask >> i & 1) {
            sum += item->key;
            if (sum > limit)
                break;
        }
        sum += item->other;
        if (i < 2 || mask & 4)
            item = item->next;
    }
    return sum;
}
int f(unsigned char a, unsigned char b)
{
    int r = walk(pool, a, b);
    if (r == 7)
        return 1;
    int near = nearest(a, b);
    if (near > 3)
        r += near;
    struct item *last = find(a), *first = find(b);
    if (last && last->other > 1) {
        if (first && first->key < last->key)
            r += first->other;
        r += last->key;
    }
    if (r > 6)
        r -= first->key;
    if (b == 4)
        return 2;
    return r == 5 || a == 6;
}
