// function: work
#include <setjmp.h>

static sigjmp_buf back;

static int guarded(int a)
{
    if (sigsetjmp(back, 1) != 0)  // expect refused: sigsetjmp
        return 1;
    return a;
}

int work(int a)
{
    return guarded(a) + 1;
}
