// function: sorted
// The library calls what it is given through a variable; what follows the call is behind what the callback does.
#include <stdlib.h>

typedef int compare(const void *, const void *);
struct order { compare *by; };
static int was_large;

static int note(const void *a, const void *b)
{
    if (*(const unsigned char *)a > 7)
        was_large = 1;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int sorted(unsigned char x, unsigned char y)
{
    struct order order = {note};
    unsigned char both[2] = {x, y};
    was_large = 0;
    qsort(both, 2, 1, order.by);
    if (was_large)  // expect branch(true): covered
        return 1;
    return 0;
}
