// function: checked
// expect outcome: exited
#include <err.h>
#include <error.h>

int checked(int a)
{
    if (a < 0)  // expect branch: covered
        errx(3, "negative: %d", a);
    error(0, 0, "looking at %d", a);
    if (a > 100)  // expect branch: covered
        error(4, 0, "too large: %d", a);
    if (a > 1000)  // expect branch(true): infeasible; branch(false): covered
        return 1;
    return 0;
}
