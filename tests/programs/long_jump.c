// function: leave
// expect outcome: exited
#include <setjmp.h>

static jmp_buf back;

/* A caller has called setjmp: the call ends the function, and a stub ends the test. */
void leave(int a)
{
    if (a > 5)  // expect branch: covered
        longjmp(back, 2);  // expect outcome(exit status 1): exited
}
