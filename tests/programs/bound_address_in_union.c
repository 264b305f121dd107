// function: move
// As bound_address_sum.c, without a cast.
#include <stdint.h>
int from, to;
int move(uintptr_t distance)
{
    union { int *pointer; uintptr_t number; } place;
    place.pointer = &from;
    place.number += distance;
    to = 1;
    *place.pointer = 7;
    if (to == 7)  // expect branch(true): unknown; branch(false): covered
        return 1;
    return 0;
}
