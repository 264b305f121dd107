#pragma once
#include <stdbool.h>

enum { RING_SIZE = 8 };

struct ring {
    int values[RING_SIZE];
    unsigned first, count;
};

bool ring_put(struct ring *ring, int value);
bool ring_get(struct ring *ring, int *value);
