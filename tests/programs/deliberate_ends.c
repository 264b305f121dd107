// function: check
// Who aborts or exits does so on purpose: the written test runs in a process of its own and must end so.
#include <assert.h>
#include <stdlib.h>
int check(int a)
{
    if (a == 7)         // expect branch: covered
        abort();        // expect outcome(abort): crashed
    if (a == 8)         // expect branch: covered
        exit(3);        // expect outcome(exit status 3): exited
    assert(a != 9);     // expect outcome(assertion): crashed
    return a;
}
