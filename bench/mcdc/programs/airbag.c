/* Whether to fire: five samples of two accelerometers (tenths of g), belts and seats. A crash must last. */

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLES = 5, THRESHOLD = 250, SAFING = 120 };

enum fire { FIRE_NOTHING = 0, FIRE_BELT = 1, FIRE_DRIVER = 2, FIRE_PASSENGER = 4 };

int decide_fire(const int16_t front[SAMPLES], const int16_t safing[SAMPLES], bool belted, uint8_t seat, bool disabled)
{
    int length = 0, longest = 0;
    int32_t sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        if (front[i] > THRESHOLD && safing[i] > SAFING)
            length++;
        else
            length = 0;
        if (length > longest)
            longest = length;
        sum += front[i] > 0 ? front[i] : 0;
    }
    if (longest < 2 && !(longest == 1 && sum > 3000))
        return FIRE_NOTHING;
    int fire = FIRE_NOTHING;
    if (belted && sum > 800)
        fire |= FIRE_BELT;
    if (!belted || longest >= 3 || sum > 2000)
        fire |= FIRE_DRIVER;
    if ((fire & FIRE_DRIVER) && seat >= 2 && seat != 0xFF && !disabled && (longest >= 3 || sum > 2400))
        fire |= FIRE_PASSENGER;
    return fire;
}
