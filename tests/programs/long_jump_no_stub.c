// function: leave
// options: --no-stub longjmp
// expect outcome: crashed
#include <setjmp.h>

static jmp_buf back;

/* Nobody has called setjmp: the run ends there. */
void leave(int a)
{
    if (a > 5)  // expect branch(true): unknown
        longjmp(back, 2);  // expect outcome(longjmp): crashed
}
