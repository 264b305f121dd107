// function: release
// Memory that an allocator has given away: it finds its own notes right before it.
#include <stddef.h>

struct block { struct block *next; unsigned size; unsigned is_free; };

int release(void *memory, struct block *first)
{
    if (!memory) // expect branch: covered
        return -1;
    struct block *block = (struct block *)memory - 1;
    if (block->is_free) // expect branch: covered
        return -2;
    if (block->next && block->next->is_free) // expect mcdc: covered
        block->size += block->next->size;
    block->is_free = 1;
    return first && first->size > block->size; // expect mcdc: covered
}
