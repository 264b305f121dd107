// function: keep
// Code that does not look is not given NULL: no run crashes.
#include <stdlib.h>

int keep(int n)
{
    int *cell = malloc(sizeof *cell);
    *cell = n;
    if (*cell > 3) // expect branch: covered
        return 1;
    return 0;
}
