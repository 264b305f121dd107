// function: votes
#include <stdbool.h>

int votes(bool a, bool b, int c)
{
    bool any = a || b;  // expect branch(true): covered; branch(false): covered
    bool odd = c & 2;
    if (a + b == 3)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    if (any && !odd)  // expect branch: covered
        return 1;
    if (odd == 2)  // expect branch(true): infeasible; branch(false): covered
        return -2;
    return a > b;
}
