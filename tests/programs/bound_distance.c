// function: span
// Of the distances that two pointers may have, some are tried. Others may do something else.
#include <stddef.h>

int span(const int *p, const int *q)
{
    if (p == NULL || q == NULL)
        return 0;
    if (q - p == 5)                                          // expect branch(true): unknown; branch(false): covered
        return 1;
    if (q - p == 500)                                        // expect branch(true): unknown; branch(false): covered
        return 2;
    if (p - q == 3)                                          // expect branch(true): unknown; branch(false): covered
        return 3;
    return 4;
}
