// function: show
// sprintf fails only for wide characters and texts that are too long, and its format limits what it prints.
#include <stdio.h>
#include <stddef.h>
static char line[128];
int show(int a, unsigned b, double real)
{
    int length = sprintf(line, "%d,%04x;", a, b);
    if (length < 0)                             // expect branch(true): infeasible; branch(false): covered
        return -1;
    if (length > 21)                            // expect branch(true): infeasible; branch(false): covered
        return -2;
    if (length == 11)                           // expect branch: covered
        return 1;
    length = snprintf(line, sizeof line, "%1.17g", real);
    if (length <= 0 || length >= (int)sizeof line)  // expect branch(true): infeasible; branch(false): covered
        return -3;
    return length;
}
