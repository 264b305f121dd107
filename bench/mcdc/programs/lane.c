/* Whether a change of lane is safe: other cars by struct, distances in metres, speeds in decimetres per second. */

#include <stdbool.h>

enum { CARS = 3, LANES = 3 };

struct car {
    int lane;
    int ahead; /* metres, negative: behind */
    int speed;
    bool is_tracked;
};

struct scene {
    struct car cars[CARS];
};

enum answer { NO_LANE = -2, BLIND = -1, UNSAFE, SAFE, SAFE_IF_FASTER };

enum answer may_change(struct scene scene, int lane, int towards, int speed, bool sensor_ok)
{
    int target = lane + (towards > 0 ? 1 : -1);
    if (towards == 0 || lane < 0 || lane >= LANES || target < 0 || target >= LANES)
        return NO_LANE;
    if (!sensor_ok || speed < 0)
        return BLIND;
    bool needs_speed = false;
    for (int i = 0; i < CARS; i++) {
        const struct car *car = &scene.cars[i];
        if (!car->is_tracked || car->lane != target || car->ahead > 200 || car->ahead < -200)
            continue;
        if (car->ahead >= -5 && car->ahead <= 5)
            return UNSAFE;
        int closing = car->ahead > 0 ? speed - car->speed : car->speed - speed;
        int gap = car->ahead > 0 ? car->ahead : -car->ahead;
        if (closing > 0 && gap * 10 < closing * 3) {
            if (car->ahead > 0 || gap < 20 || closing > 60)
                return UNSAFE;
            needs_speed = true;
        }
    }
    return needs_speed && speed < 360 ? SAFE_IF_FASTER : SAFE;
}
