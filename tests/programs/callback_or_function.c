// function: apply
// Without any wish, a function pointer leads to a stub, to a function of the program with its type, or is NULL.
#include <stddef.h>

static int twice(int n) { return 2 * n; }

struct handler {
    int (*visit)(int);
    void (*done)(void);
};

int apply(struct handler *handler, int n)
{
    if (handler == NULL || handler->visit == NULL) // expect branch: covered
        return -1;
    if (handler->visit == twice && n == 4)
        return 1;
    if (handler->visit(n) == 12345)
        return 2;
    if (handler->done)
        handler->done();
    return 0;
}
