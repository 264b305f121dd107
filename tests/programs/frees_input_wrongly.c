// function: drop
#include <stdlib.h>

struct pair { int key, value; };

int drop(struct pair *pair, int k)
{
    if (!pair)
        return 0;
    if (k > 0)
        free(pair);
    if (k == 1)
        free(pair);  // expect outcome(free or realloc of a heap block that was freed before): crashed
    if (k == 2)
        return pair->value;  // expect outcome(read of a heap block that was freed): crashed
    if (k == -1)
        free(&pair->value);  // expect outcome(free or realloc of an address that is not the start of a heap block): crashed
    return 1;
}
