// function: step
// What the code excludes by itself is infeasible, whatever static locals, devices, strings, aliases and stubs do.
#include <stdlib.h>

struct item {
    int kind, flags;
};
volatile int device;
int level;
void note(int code);

static void require(int holds)
{
    if (!holds)
        exit(1);
}

int step(struct item *p, long *q, const char *s, int n)
{
    static int calls;
    int length = 0;
    calls++;
    if (p == NULL)
        return -1;
    while (s && s[length])
        length++;
    require(length < 3);
    *q = device;
    switch (device & 3) {  // expect branch(default): infeasible
    case 0:
        n++;
        break;
    case 1:
    case 2:
    case 3:
        n--;
    }
    note(1);
    if (level > 5) {
        if (level < 3)  // expect branch(true): infeasible
            return 1;
    }
    if (length > 2)  // expect branch(true): infeasible
        return 2;
    if (p == NULL)  // expect branch(true): infeasible
        return 3;
    return n;
}
