// function: work
#include <ucontext.h>

int work(int a)
{
    ucontext_t here;
    getcontext(&here);  // expect refused: getcontext
    return a;
}
