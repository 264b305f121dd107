// function: push
// What the function is given may be resized and freed, as if it came from the heap.
#include <stdlib.h>

struct stack {
    int *items;
    unsigned used, room;
};

extern void xfree(void *block);

int push(struct stack *stack, int item)
{
    if (!stack) // expect branch: covered
        return -1;
    if (stack->used >= 4) {
        if (stack->items)
            xfree(stack->items);
        stack->items = NULL;
        return -3;
    }
    int *more = realloc(stack->items, 4 * sizeof *more);
    if (!more)
        return -2;
    stack->items = more;
    more[stack->used++] = item;
    if (more[0] == 77 && stack->used == 2)
        return 1;
    return 0;
}
