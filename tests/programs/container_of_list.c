// function: find
// options: --max-runs 60
// A list that ends where it began, with items around its nodes.
#include <stddef.h>
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct list { struct list *next, *prev; };
struct item { int id; struct list link; int flags; };

int find(struct list *head, int id)
{
    for (struct list *at = head->next; at != head; at = at->next) { // expect branch: covered
        struct item *item = container_of(at, struct item, link);
        if (item->id == id)
            return 1;
        if (item->flags == 99)
            return 2;
    }
    return 0;
}
