// function: find
// A pointer to a member: what is around it is found by subtracting an offset.
#include <stddef.h>
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct list { struct list *next, *prev; };
struct item { int id; const char *name; struct list link; int flags; };

int find(struct list *node, int id)
{
    struct item *item = container_of(node, struct item, link);
    if (item->id == id && item->flags > 3) // expect branch: covered
        return 1;
    if (item->name && item->name[0] == 'q')
        return 2;
    return 0;
}
