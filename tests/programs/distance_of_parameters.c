// function: span
#include <stddef.h>

int span(const int *p, const int *q)
{
    if (p == NULL || q == NULL)                                     // expect mcdc: covered
        return 3;
    if (q - p > 3)                                                  // expect branch: covered
        return 1;
    if (q - p == 0)                                                 // expect branch: covered
        return 2;
    return *p == *q;                                                // expect mcdc: covered
}
