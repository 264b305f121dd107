// function: put
// Two pointers into a buffer of the same object: at its end one turns round, and then it may meet the other.
#include <stddef.h>

struct ring { unsigned char data[8]; unsigned char *head, *tail; };

int put(struct ring *ring, unsigned char c)
{
    unsigned char *next = ring->head + 1;
    if (next == ring->data + sizeof ring->data)     // expect branch: covered
        next = ring->data;
    if (next == ring->tail)                         // expect branch: covered
        return -1;
    *ring->head = c;
    ring->head = next;
    return 0;
}
