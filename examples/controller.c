/* A temperature controller with saturation and anti-windup: the state is kept by the caller and
 * passed in by pointer. Try: tightrope generate controller.c:step */

#include <stdbool.h>
#include <stdint.h>

enum mode { MODE_OFF, MODE_HEAT, MODE_HOLD, MODE_FAULT };

struct controller {
    enum mode mode;
    int16_t target;     /* tenths of a degree */
    int32_t integral;   /* sum of errors, limited */
    uint8_t bad_readings;
    bool saturated;
};

enum { OUTPUT_MAX = 1000, INTEGRAL_MAX = 20000, READING_MIN = -400, READING_MAX = 1500 };

static int32_t clamp(int32_t value, int32_t lowest, int32_t highest)
{
    if (value < lowest)
        return lowest;
    if (value > highest)
        return highest;
    return value;
}

/* One control period: a reading in, the heater's duty in per mille out. */
int step(struct controller *c, int16_t reading)
{
    if (c->mode == MODE_OFF || c->mode == MODE_FAULT)
        return 0;
    if (reading < READING_MIN || reading > READING_MAX) {
        if (++c->bad_readings >= 3)
            c->mode = MODE_FAULT;
        return 0;
    }
    c->bad_readings = 0;

    int32_t error = (int32_t)c->target - reading;
    if (!c->saturated)
        c->integral = clamp(c->integral + error, -INTEGRAL_MAX, INTEGRAL_MAX);
    int32_t wanted = 4 * error + c->integral / 16;
    int32_t output = clamp(wanted, 0, OUTPUT_MAX);
    c->saturated = output != wanted;

    if (c->mode == MODE_HEAT && error >= -5 && error <= 5)
        c->mode = MODE_HOLD;
    else if (c->mode == MODE_HOLD && error > 50)
        c->mode = MODE_HEAT;
    return output;
}
