/* Cruise control: one step of its state machine. Inputs: the state in globals, the buttons and signals as parameters. */

#include <stdbool.h>

enum cruise { OFF, READY, ACTIVE, OVERRIDDEN, FAILED };

enum { SLOWEST = 30, FASTEST = 180, LARGEST_STEP = 40 };

enum cruise state;
int set_speed, last_speed, failures;

int cruise_step(bool main_switch, bool set, bool resume, bool cancel, bool brake, bool clutch, int pedal, int speed)
{
    int change = speed - last_speed;
    if (speed < 0 || speed > 300 || change > LARGEST_STEP || change < -LARGEST_STEP) {
        if (++failures > 3)
            state = FAILED;
        return 0;
    }
    failures = 0;
    last_speed = speed;
    if (!main_switch) {
        if (state != FAILED || speed == 0)
            state = OFF;
        return 0;
    }
    switch (state) {
    case OFF:
        if (!brake && !clutch)
            state = READY;
        break;
    case READY:
        if (brake || clutch || cancel)
            break;
        if (set && speed >= SLOWEST && speed <= FASTEST) {
            set_speed = speed;
            state = ACTIVE;
        } else if (resume && set_speed >= SLOWEST && (speed >= SLOWEST || speed * 2 > set_speed)) {
            state = ACTIVE;
        }
        break;
    case ACTIVE:
        if (brake || clutch || cancel || speed < SLOWEST - 5)
            state = READY;
        else if (pedal > 20 && speed > set_speed + 3)
            state = OVERRIDDEN;
        break;
    case OVERRIDDEN:
        if (brake || cancel || (clutch && pedal < 5))
            state = READY;
        else if (pedal <= 20 && speed <= set_speed + 3)
            state = ACTIVE;
        break;
    case FAILED:
        return -1;
    }
    return state == ACTIVE ? set_speed - speed : 0;
}
