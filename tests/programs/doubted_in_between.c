// function: again
// The same conditions as in infeasible_for_every_caller.c, but here something may have changed in between.
#include <stdlib.h>

struct item {
    int kind, flags;
};
volatile int device;
int level;
void note(int code);

int again(struct item *p, int *q, int n)
{
    static int calls;
    int extra = 0;
    if (calls++ > 2)  // expect branch(true): unknown
        extra = n;
    if (extra > 3)  // expect branch(true): unknown
        return 1;
    if (device > 5) {
        if (device < 3)  // expect branch(true): unknown
            return 2;
    }
    if (level > 5) {
        note(2);
        if (level < 3)  // expect branch(true): unknown
            return 3;
    }
    if (p->kind > 5) {
        *q = 1;
        if (p->kind < 3)  // expect branch(true): unknown
            return 4;
    }
    for (int i = 0; i < 2; i++) {
        if (p->flags == 9)
            return 5;
        p->flags = n;
    }
    return n;
}
