// function: open_item
#include <stdlib.h>
struct item { int id; char *name; };
int open_item(int id, struct item **out, unsigned long *size)
{
    if (!out || id < 0)  // expect branch: covered
        return -1;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return -2;
    (*out)->id = id;
    if (size)
        *size = sizeof **out;
    return 0;
}
