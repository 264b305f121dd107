// function: room_for
// Pointers that are subtracted from each other lead into one object. Which one the input chose belongs to the path.
#include <stddef.h>
#include <stdint.h>

struct packet { size_t room; size_t used; uint8_t *token; uint8_t *data; };

int room_for(struct packet *p, unsigned size)
{
    size_t taken = p->data ? (size_t)(p->data - p->token) : p->used; // expect branch: covered
    size_t left = p->room - taken;
    if (p->room > 1000)
        return 7;
    if (left < size && p->data) {                                   // expect branch: covered; mcdc: covered
        if (left < 16)                                              // expect branch: covered
            return 0;
        return 1;
    }
    return 2;
}
