// function: make
// A function without a body that is called like an allocator gives memory.
#include <stddef.h>

struct node {
    int value;
    struct node *next;
    long rest[10];
};

extern void *xmalloc(size_t size);
extern void *pool_alloc(unsigned size);
extern void pool_free(void *block);

int make(int value)
{
    struct node *node = xmalloc(sizeof *node);
    char *buffer = pool_alloc(16);
    node->rest[9] = value;
    if (!buffer) // expect branch: covered
        return -1;
    buffer[15] = 1;
    int result = node->rest[9] == 4711;
    pool_free(buffer);
    if (result)
        return 1;
    return 0;
}
