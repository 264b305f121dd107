/* A ring buffer of messages between an interrupt and the main loop. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CAPACITY 8u

typedef struct {
    uint16_t kind;
    int16_t value;
} message;

typedef struct {
    message items[CAPACITY];
    unsigned head; /* the next to be read */
    unsigned count;
    unsigned dropped;
} ring;

bool ring_put(ring *r, message item)
{
    if (r == NULL || r->head >= CAPACITY || r->count > CAPACITY) return false;
    if (r->count == CAPACITY) {
        r->dropped++;
        return false;
    }
    r->items[(r->head + r->count) % CAPACITY] = item;
    r->count++;
    return true;
}

/* The oldest message of this kind, without removing it; kind 0 is any. */
const message *ring_find(const ring *r, uint16_t kind)
{
    if (r == NULL || r->head >= CAPACITY || r->count > CAPACITY) return NULL;
    for (unsigned i = 0; i < r->count; i++) {
        const message *one = &r->items[(r->head + i) % CAPACITY];
        if (kind == 0 || one->kind == kind) return one;
    }
    return NULL;
}

/* Moves up to `most` messages to `to`; returns how many. */
unsigned ring_take(ring *r, message *to, unsigned most)
{
    unsigned taken = 0;
    if (r == NULL || to == NULL || r->head >= CAPACITY || r->count > CAPACITY) return 0;
    while (taken < most && r->count > 0) {
        to[taken++] = r->items[r->head];
        r->head = (r->head + 1) % CAPACITY;
        r->count--;
    }
    return taken;
}

static const char *const names[] = {"idle", "start", "stop", "fault"};

const char *name_of_kind(unsigned kind)
{
    if (kind >= sizeof names / sizeof *names) return "unknown";
    return names[kind];
}
