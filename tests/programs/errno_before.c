// function: look
// What errno was before the call is no input: another caller may have left another value there. What inputs alone decide
// is proved all the same.
#include <errno.h>

int look(unsigned char a)
{
    if (errno == 7)  // expect branch(true): unknown; branch(false): covered
        return 1;
    if (a > 3 && a < 3)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 2;
    return 0;
}
