// function: next
/* A callback gets room for one element, and how many elements that are: of those, it may write one. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
    bool (*fill)(struct source *from, uint8_t *buffer, size_t count);
    void *state;
    size_t left;
};

int next(struct source *from, uint8_t *element)
{
    if (!from || !from->fill || !element)    // expect branch: covered
        return -1;
    if (from->left == 0)                     // expect branch: covered
        return -2;
    if (!from->fill(from, element, 1))       // expect branch: covered
        return -3;
    from->left--;
    return *element > 50;
}
