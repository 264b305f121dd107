// function: lookup
// Answers may be pointers: to an object, to another one in the next call, or NULL.
#include <stddef.h>

struct entry {
    int key;
    struct entry *next;
};

extern struct entry *find(const char *name);

int lookup(void)
{
    struct entry *first = find("a");
    struct entry *second = find("b");
    if (first == NULL || second == NULL) // expect branch: covered
        return -1;
    if (first->key == 77 && second->key == 78)
        return 1;
    if (first->next != NULL && first->next->key < 0)
        return 2;
    return 0;
}
