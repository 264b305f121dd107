// function: reserve
// options: --no-stub malloc
// A size that no machine has gives NULL, here and in a plain build; that others do not, is an assumption.
#include <stdlib.h>

int reserve(signed char n)
{
    char *block = malloc((size_t)n);
    if (n < 0 && block)  // expect branch#1: covered; branch#2(true): unknown; branch#2(false): covered
        return 1;
    if (n >= 0 && !block)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): unknown
        return 2;
    free(block);
    return 0;
}
