/* Landing gear: whether it may move, and what the cockpit is told. Weight on wheels comes from two switches that must
 * agree. Inputs: the state of the aircraft, by pointer. */

#include <stdbool.h>

enum lever { LEVER_UP, LEVER_DOWN };

enum command { GEAR_HOLD, GEAR_EXTEND, GEAR_RETRACT, GEAR_EMERGENCY };

struct gear_inputs {
    enum lever lever;
    bool left_on_ground, right_on_ground;
    bool doors_open, uplock, downlock;
    int speed;  /* knots */
    int height; /* feet above ground, negative: not known */
    int pressure; /* bar */
    bool emergency_handle;
};

struct gear_warning {
    bool horn;
    bool disagree;
};

enum command command_gear(const struct gear_inputs *in, struct gear_warning *warning)
{
    bool on_ground = in->left_on_ground || in->right_on_ground;
    warning->disagree = in->left_on_ground != in->right_on_ground && in->speed > 60;
    warning->horn = !in->downlock && in->height >= 0 && in->height < 800 && (in->speed < 160 || in->lever == LEVER_DOWN);

    if (in->emergency_handle && !in->downlock && (in->pressure < 80 || warning->disagree) && in->speed < 250)
        return GEAR_EMERGENCY;
    if (in->pressure < 80 || in->pressure > 230)
        return GEAR_HOLD;
    if (in->lever == LEVER_UP) {
        if (!on_ground && !in->uplock && in->speed < 220 && (in->doors_open || in->downlock))
            return GEAR_RETRACT;
    } else if (!in->downlock && (in->doors_open || in->uplock) && in->speed < 270) {
        return GEAR_EXTEND;
    }
    return GEAR_HOLD;
}
