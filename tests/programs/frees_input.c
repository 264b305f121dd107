// function: drop
// What the function is given may come from the heap: it may be freed, once, and is gone then.
#include <stdlib.h>

struct node { int key; struct node *next; };

struct node *drop(struct node *list, int key)
{
    if (!list)  // expect branch: covered
        return 0;
    if (list->key == key) {  // expect branch: covered
        struct node *next = list->next;
        free(list);
        return next;
    }
    if (list->next && list->next->key == key) {  // expect branch: covered
        struct node *gone = list->next;
        list->next = gone->next;
        free(gone);
    }
    return list;
}
