/* A queue in a ring of four bytes.
 * Try: tightrope generate examples/ring_buffer.c --sequence auto
 * State: static variables of the file, which three functions share. */
#include <stdbool.h>

enum { SIZE = 4 };

static unsigned char bytes[SIZE];
static unsigned first, count;
static bool has_lost; /* a byte, since the last look */

void ring_init(void)
{
    first = count = 0;
    has_lost = false;
}

bool ring_put(unsigned char byte)
{
    if (count >= SIZE) {
        has_lost = true;
        return false;
    }
    bytes[(first + count) % SIZE] = byte;
    count++;
    return true;
}

/* Returns -1 if there is none, and -2, once, if one was lost. */
int ring_get(void)
{
    if (has_lost && count < SIZE) {
        has_lost = false;
        return -2;
    }
    if (count == 0)
        return -1;
    int byte = bytes[first];
    first = first + 1 < SIZE ? first + 1 : 0;
    count--;
    return byte;
}
