/* A state machine in the style of embedded control, and a checksum: decisions of several conditions over flags. */
#include "work.h"

enum state { IDLE, STARTING, RUNNING, STOPPING, FAULT };

struct plant {
    enum state state;
    int speed, temperature, pressure, wanted;
    unsigned ticks, faults, checksum;
    int door_open, emergency, enabled;
};

static unsigned random_state;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static unsigned checksum(unsigned sum, unsigned value)
{
    for (int bit = 0; bit < 8; bit++, value >>= 1)
        sum = (sum ^ value) & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    return sum;
}

static int must_stop(const struct plant *p)
{
    return p->emergency || (p->door_open && p->speed > 10) || p->temperature > 900 || (p->pressure > 80 && p->temperature > 700);
}

static void step(struct plant *p)
{
    p->ticks++;
    if (must_stop(p) && p->state != FAULT) {
        p->state = FAULT;
        p->faults++;
    }
    switch (p->state) {
    case IDLE:
        if (p->enabled && !p->door_open && p->temperature < 300)
            p->state = STARTING;
        break;
    case STARTING:
        p->speed += p->speed < p->wanted ? 7 : 0;
        if (p->speed >= p->wanted || p->ticks > 400)
            p->state = RUNNING;
        break;
    case RUNNING:
        if (p->speed < p->wanted && (p->pressure < 70 || p->temperature < 500))
            p->speed++;
        else if (p->speed > p->wanted || p->pressure > 75)
            p->speed--;
        if (!p->enabled || p->wanted == 0)
            p->state = STOPPING;
        break;
    case STOPPING:
        p->speed -= 5;
        if (p->speed <= 0) {
            p->speed = 0;
            p->state = IDLE;
        }
        break;
    case FAULT:
        p->speed = p->speed > 20 ? p->speed - 20 : 0;
        if (p->speed == 0 && !p->emergency && !p->door_open && p->temperature < 400)
            p->state = IDLE;
        break;
    }
    p->temperature += p->speed > 50 ? 2 : p->temperature > 20 ? -3 : 0;
    p->pressure = p->speed / 2 + (p->temperature > 600 ? 30 : 0);
}

unsigned work(unsigned rounds)
{
    struct plant p = {IDLE, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0};
    random_state = 88172645u;
    for (unsigned round = 0; round < rounds; round++) {
        for (int tick = 0; tick < 1000; tick++) {
            unsigned drawn = next_random();
            if ((drawn & 0x3f) == 0) {
                p.enabled = (drawn >> 6 & 7) != 0;
                p.door_open = (drawn >> 9 & 15) == 0;
                p.emergency = (drawn >> 13 & 31) == 0;
                p.wanted = (int)(drawn >> 18 & 127);
            }
            step(&p);
        }
        p.checksum = checksum(p.checksum, (unsigned)p.speed + p.faults);
    }
    return p.checksum;
}
