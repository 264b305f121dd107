#include "hal.h"

enum { PRESSURE = 3, TRIES = 3, TOO_HIGH = 3000 };

/* The pressure, or -1. */
int sample_pressure(void)
{
    uint16_t value = 0;
    int error = 0;
    if (!hal_adc_start(PRESSURE)) return -1;
    for (int tries = 0; tries < TRIES; tries++) {
        error = hal_adc_read(PRESSURE, &value);
        if (error == 0) break;
    }
    if (error != 0) {
        hal_alarm("no pressure", error);
        return -1;
    }
    if (value > TOO_HIGH) hal_alarm("pressure", value);
    return value;
}
