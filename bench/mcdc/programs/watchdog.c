/* A supervisor of tasks: each must report in time and in order. Bits in masks, deadlines that wrap around. */

#include <stdbool.h>
#include <stdint.h>

enum { TASKS = 4 };

enum { ALIVE = 1, RUNNING = 2, CRITICAL = 4 };

uint8_t flags[TASKS];
uint16_t deadline[TASKS];
uint8_t order;

/* 0: fine, 1: degraded, 2: restart. */
int supervise(uint16_t now, uint8_t reports, uint8_t sequence)
{
    int late = 0, critical = 0;
    for (int i = 0; i < TASKS; i++) {
        bool reported = reports >> i & 1;
        if (!(flags[i] & RUNNING)) {
            if (reported && (flags[i] & ALIVE))
                return 2;
            continue;
        }
        uint16_t left = (uint16_t)(deadline[i] - now);
        if (reported && left < 0x8000) {
            flags[i] |= ALIVE;
            deadline[i] = (uint16_t)(now + 100);
        } else if (left >= 0x8000 || (reported && left == 0)) {
            late++;
            if ((flags[i] & CRITICAL) && !(flags[i] & ALIVE))
                critical++;
            flags[i] &= (uint8_t)~ALIVE;
        }
    }
    if (sequence != (uint8_t)(order * 5 + 3) && (reports & 0x0F) != 0)
        late++;
    order = sequence;
    if (critical > 0 || late > 2)
        return 2;
    return late > 0 && (reports & 0x0F) != 0x0F ? 1 : 0;
}
