// function: duplicate
// Allocators that want to know where from.
#include <stddef.h>
#include <string.h>

struct pool { int used; };

extern void *pool_alloc(struct pool *pool, unsigned size);
extern void *poolRealloc(struct pool *pool, void *block, size_t size);
extern char *pool_strdup(struct pool *pool, const char *text);
extern void pool_free(struct pool *pool, void *block);

int duplicate(struct pool *pool, const char *text)
{
    if (!text) // expect branch: covered
        return -1;
    char *copy = pool_strdup(pool, text);
    char *block = pool_alloc(pool, 4);
    if (!copy || !block)
        return -2;
    block[3] = copy[0];
    char *larger = poolRealloc(pool, block, 20);
    if (!larger) {
        pool_free(pool, block);
        return -3;
    }
    if (larger[3] == 'x')
        return 1;
    pool_free(pool, larger);
    return 0;
}
