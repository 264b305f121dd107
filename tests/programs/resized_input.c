// function: more
// An input is larger after `xrealloc`: a written test copies it without knowing where it ends, which no sanitizer may mind.
#include <stdlib.h>

void *xrealloc(void *old, size_t size);

int more(int *value)
{
    int *list = xrealloc(value, 64 * sizeof *list);
    int is_large;
    list[63] = 4;
    is_large = list[0] > 3;
    free(list);
    if (is_large)  // expect branch: covered
        return 2;
    return 3;
}
