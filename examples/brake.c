/* Decisions with several conditions, one of which is not needed.
 * Try: tightrope generate brake.c -c mcdc; tightrope objectives brake.c -c mcdc */

#include <stdbool.h>

enum { NO_READING = -1, FAR = 1023 };

/* Is this a reading of the sensor? */
static bool is_valid(int reading)
{
    return reading >= 0 && reading <= FAR && reading != NO_READING;
}

/* Whether to brake: something is near, or somebody asks for it; never while parked. */
bool brake(int reading, int speed, bool pedal, bool parked)
{
    bool is_near = is_valid(reading) && reading < 100;
    return !parked && (pedal || (is_near && speed > 30));
}
