/* A pseudo-random generator that is stepped a thousand times, and a hash of a key: no step can be undone by looking. */

#include <stdint.h>

int walk(uint32_t seed, uint16_t steps)
{
    int high = 0;
    int run = 0;
    int longest = 0;
    if (steps > 1000)
        return -1;
    for (int i = 0; i < steps; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 31) {
            high++;
            run++;
        } else {
            run = 0;
        }
        if (run > longest)
            longest = run;
    }
    if (steps >= 900 && high > 520)
        return 1;
    if (longest >= 14)
        return 2;
    if (high == steps && steps > 5)
        return 3;
    return (seed & 0xFFFu) == 0xABC ? 4 : 0;
}
