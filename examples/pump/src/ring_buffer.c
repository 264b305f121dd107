#include "ring_buffer.h"

#include <stddef.h>

bool ring_put(struct ring *ring, int value)
{
    if (ring->count >= RING_SIZE) return false;
    ring->values[(ring->first + ring->count) % RING_SIZE] = value;
    ring->count++;
    return true;
}

bool ring_get(struct ring *ring, int *value)
{
    if (ring->count == 0 || value == NULL) return false;
    *value = ring->values[ring->first % RING_SIZE];
    ring->first = (ring->first + 1) % RING_SIZE;
    ring->count--;
    return true;
}
