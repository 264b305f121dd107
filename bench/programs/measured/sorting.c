/* Sorting and searching: few decisions, in tight loops. */
#include "work.h"

enum { COUNT = 4096 };

struct row { int key, weight; };

static struct row rows[COUNT];
static unsigned random_state;

static int next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)(random_state >> 12 & 0x3ff);
}

static int is_before(const struct row *a, const struct row *b)
{
    return a->key < b->key || (a->key == b->key && a->weight < b->weight);
}

static void sift(int at, int end)
{
    struct row moved = rows[at];
    for (;;) {
        int child = 2 * at + 1;
        if (child >= end)
            break;
        if (child + 1 < end && is_before(&rows[child], &rows[child + 1]))
            child++;
        if (!is_before(&moved, &rows[child]))
            break;
        rows[at] = rows[child];
        at = child;
    }
    rows[at] = moved;
}

static void sort(void)
{
    for (int at = COUNT / 2 - 1; at >= 0; at--)
        sift(at, COUNT);
    for (int end = COUNT - 1; end > 0; end--) {
        struct row last = rows[end];
        rows[end] = rows[0];
        rows[0] = last;
        sift(0, end);
    }
}

static unsigned search(int key)
{
    int low = 0, high = COUNT;
    while (low < high) {
        int middle = (low + high) / 2;
        if (rows[middle].key < key || (rows[middle].key == key && rows[middle].weight < 512 && key % 2))
            low = middle + 1;
        else
            high = middle;
    }
    return low < COUNT && rows[low].key == key ? (unsigned)low : 0u;
}

unsigned work(unsigned rounds)
{
    unsigned sum = 0;
    random_state = 7;
    for (unsigned round = 0; round < rounds; round++) {
        for (int at = 0; at < COUNT; at++)
            rows[at] = (struct row){next_random(), next_random()};
        sort();
        for (int key = 0; key < 1024; key++)
            sum = sum * 31 + search(key);
    }
    return sum;
}
