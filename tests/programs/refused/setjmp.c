// function: guarded
#include <setjmp.h>

static jmp_buf back;

int guarded(int a)
{
    if (setjmp(back) != 0)  // expect refused: setjmp
        return 1;
    if (a > 3)
        longjmp(back, 1);
    return 0;
}
