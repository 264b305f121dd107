/* State of charge of a battery, from voltage and current. */
#include <stdint.h>

#define FULL 1000 /* per mille */
#define POINTS 6

struct gauge {
    int32_t charge;     /* mAs */
    int32_t capacity;   /* mAs */
    int16_t offset;     /* of the current sensor, mA */
    uint16_t rest;      /* seconds without load */
    uint8_t flags;
};

#define LOW 0x01
#define CHARGING 0x02
#define FAULT 0x80

static const struct { uint16_t millivolts, permille; } curve[POINTS] = {
    {3000, 0}, {3450, 80}, {3650, 300}, {3800, 550}, {4000, 820}, {4200, 1000}};

int gauge_from_voltage(uint16_t millivolts)
{
    if (millivolts <= curve[0].millivolts)
        return 0;
    for (int i = 1; i < POINTS; i++) {
        if (millivolts < curve[i].millivolts) {
            int span = curve[i].millivolts - curve[i - 1].millivolts;
            int rise = curve[i].permille - curve[i - 1].permille;
            return curve[i - 1].permille + (millivolts - curve[i - 1].millivolts) * rise / span;
        }
    }
    return FULL;
}

/* One second later. Returns the state of charge in per mille, or -1 if a sensor is broken. */
int gauge_step(struct gauge *g, int16_t milliamps, uint16_t millivolts)
{
    if (millivolts < 2000 || millivolts > 4500 || g->capacity <= 0) {
        g->flags |= FAULT;
        return -1;
    }
    int current = milliamps - g->offset;
    g->flags &= (uint8_t)~(LOW | CHARGING);
    if (current > 20)
        g->flags |= CHARGING;
    if (current > -5 && current < 5) {
        if (g->rest < 600)
            g->rest++;
    } else {
        g->rest = 0;
    }
    g->charge += current;
    if (g->charge < 0)
        g->charge = 0;
    if (g->charge > g->capacity)
        g->charge = g->capacity;
    if (g->rest >= 600)
        g->charge = (int32_t)((int64_t)g->capacity * gauge_from_voltage(millivolts) / FULL);
    int permille = (int)((int64_t)g->charge * FULL / g->capacity);
    if (permille < 100 && !(g->flags & CHARGING))
        g->flags |= LOW;
    return permille;
}
