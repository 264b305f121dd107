/* An altitude switch: it powers a device (of which it knows nothing else) when the aircraft comes down to a height.
 *
 * Function under test: run_switch, which makes a few steps of the switch from power-up.
 * The experiment uses -DSTEPS=4: initialisation, a descent, a lost altitude and the fault that comes of it.
 *
 * Three altimeters are read, one analogue and two digital ones that tell how good their value is. The lowest good
 * altitude counts. Without any for too long, or when the device does not answer to its power, the switch has failed. */

#include <stdbool.h>

#ifndef STEPS
#define STEPS 4
#endif

enum {
    THRESHOLD = 2000, /* feet: power on, coming from above */
    HYSTERESIS = 200, /* feet: off again only that much higher */
    HIGHEST = 60000,
    LARGEST_SPREAD = 500, /* feet, between good altimeters */
    FASTEST = 3000,       /* feet in one step */
    ALTITUDE_PATIENCE = 1, /* steps without an altitude */
    DEVICE_PATIENCE = 1,   /* steps without the device's answer */
    DIGITAL = 2
};

enum quality { GOOD, NOT_COMPUTED, TEST, FAILED };

enum mode { INITIALISING, STANDBY, AWAITING_DEVICE, OPERATIONAL, FAULT };

struct altimeter {
    int altitude; /* feet */
    enum quality quality;
};

struct switch_inputs {
    struct altimeter digital[DIGITAL];
    bool is_analogue_valid;
    bool is_analogue_below; /* it knows no number, only which side of the threshold */
    bool is_inhibited;
    bool is_reset_pressed;
    bool is_device_on; /* as the device reports it */
    bool is_self_test_passed;
};

struct switch_record {
    struct switch_inputs at[STEPS];
};

struct estimate {
    bool is_known;
    bool is_below;       /* the threshold */
    bool is_above;       /* the threshold and the hysteresis; false between the two */
    bool is_untrustworthy; /* the altimeters contradict each other */
};

struct state {
    enum mode mode;
    bool was_below, was_known;
    int steps_without_altitude;
    int steps_without_device;
    int last_altitude;
    bool has_last_altitude;
    bool was_reset_pressed;
};

struct outputs {
    bool is_power_on;
    bool is_fault_shown;
    bool is_watchdog_fed;
};

/* --- altimeters ----------------------------------------------------------------------------- */

static bool is_possible(int altitude)
{
    return altitude >= -1000 && altitude <= HIGHEST;
}

/* A good value that jumped is not believed, unless nothing is known to compare it with. */
static bool is_good(const struct altimeter *altimeter, const struct state *state)
{
    if (altimeter->quality != GOOD || !is_possible(altimeter->altitude))
        return false;
    int change = altimeter->altitude - state->last_altitude;
    return !state->has_last_altitude || (change <= FASTEST && change >= -FASTEST);
}

static bool is_everything_broken(const struct switch_inputs *in)
{
    bool is_first_broken = in->digital[0].quality == FAILED || in->digital[0].quality == TEST;
    bool is_second_broken = in->digital[1].quality == FAILED || in->digital[1].quality == TEST;
    return is_first_broken && is_second_broken && !in->is_analogue_valid;
}

static struct estimate from_altitude(int altitude)
{
    return (struct estimate){
        .is_known = true,
        .is_below = altitude < THRESHOLD,
        .is_above = altitude > THRESHOLD + HYSTERESIS,
    };
}

static struct estimate estimate_altitude(struct state *state, const struct switch_inputs *in)
{
    int a = in->digital[0].altitude, b = in->digital[1].altitude;
    bool is_a_good = is_good(&in->digital[0], state);
    bool is_b_good = is_good(&in->digital[1], state);
    struct estimate estimate = {false};
    state->has_last_altitude = is_a_good || is_b_good;
    if (state->has_last_altitude) {
        int lowest = is_a_good && (!is_b_good || a < b) ? a : b;
        estimate = from_altitude(lowest);
        state->last_altitude = lowest;
    } else if (in->is_analogue_valid) {
        estimate.is_known = true;
        estimate.is_below = in->is_analogue_below;
        estimate.is_above = !in->is_analogue_below;
    }
    bool is_spread = is_a_good && is_b_good && (a - b > LARGEST_SPREAD || b - a > LARGEST_SPREAD);
    bool is_contradicted = in->is_analogue_valid && estimate.is_known && in->is_analogue_below && estimate.is_above;
    estimate.is_untrustworthy = is_spread || is_contradicted;
    return estimate;
}

/* --- modes ---------------------------------------------------------------------------------- */

static void count_steps(struct state *state, const struct switch_inputs *in, const struct estimate *estimate)
{
    bool is_lost = !estimate->is_known || estimate->is_untrustworthy;
    state->steps_without_altitude = is_lost ? state->steps_without_altitude + 1 : 0;
    bool is_waiting = state->mode == AWAITING_DEVICE && !in->is_device_on && !in->is_inhibited;
    state->steps_without_device = is_waiting ? state->steps_without_device + 1 : 0;
}

static bool has_failed(const struct state *state, const struct switch_inputs *in)
{
    bool is_altitude_lost = state->steps_without_altitude > ALTITUDE_PATIENCE;
    bool is_device_silent = state->steps_without_device > DEVICE_PATIENCE;
    bool has_stopped_itself = state->mode == OPERATIONAL && !in->is_device_on && !in->is_inhibited;
    return is_everything_broken(in) || is_altitude_lost || is_device_silent || has_stopped_itself;
}

/* The aircraft came from above: it was seen above before, and is below now. */
static bool crosses_downwards(const struct state *state, const struct estimate *estimate)
{
    return estimate->is_known && estimate->is_below && state->was_known && !state->was_below;
}

static enum mode next_mode(const struct state *state, const struct switch_inputs *in, const struct estimate *estimate)
{
    bool is_reset = in->is_reset_pressed && !state->was_reset_pressed;
    if (is_reset && (state->mode == FAULT || !in->is_device_on))
        return INITIALISING;
    if (state->mode == FAULT || (state->mode != INITIALISING && has_failed(state, in)))
        return FAULT;
    switch (state->mode) {
    case INITIALISING:
        return in->is_self_test_passed && estimate->is_known && !estimate->is_untrustworthy ? STANDBY : INITIALISING;
    case STANDBY:
        if (in->is_device_on && !in->is_inhibited)
            return OPERATIONAL; /* somebody else has powered it */
        return crosses_downwards(state, estimate) && !in->is_inhibited ? AWAITING_DEVICE : STANDBY;
    case AWAITING_DEVICE:
        if (in->is_inhibited || (estimate->is_known && estimate->is_above))
            return STANDBY;
        return in->is_device_on ? OPERATIONAL : AWAITING_DEVICE;
    case OPERATIONAL:
        return in->is_inhibited || (estimate->is_known && estimate->is_above) ? STANDBY : OPERATIONAL;
    case FAULT:
        break;
    }
    return FAULT;
}

/* Between threshold and hysteresis the last known side stays. */
static void remember(struct state *state, const struct switch_inputs *in, const struct estimate *estimate)
{
    if (estimate->is_known && (estimate->is_below || estimate->is_above))
        state->was_below = estimate->is_below;
    state->was_known = state->was_known || estimate->is_known;
    state->was_reset_pressed = in->is_reset_pressed;
}

/* --- steps ---------------------------------------------------------------------------------- */

static struct outputs step(struct state *state, const struct switch_inputs *in)
{
    struct estimate estimate = estimate_altitude(state, in);
    count_steps(state, in, &estimate);
    enum mode mode = next_mode(state, in, &estimate);
    if (mode == INITIALISING && state->mode != INITIALISING)
        *state = (struct state){.mode = INITIALISING};
    state->mode = mode;
    remember(state, in, &estimate);
    return (struct outputs){
        .is_power_on = mode == AWAITING_DEVICE || mode == OPERATIONAL,
        .is_fault_shown = mode == FAULT || (estimate.is_untrustworthy && !in->is_inhibited),
        .is_watchdog_fed = mode != FAULT && (mode != INITIALISING || in->is_self_test_passed),
    };
}

#ifndef AS_STEP_FUNCTION

/* Returns the steps in which the device has power, or -1 if a fault is shown at the end. */
int run_switch(struct switch_record record)
{
    struct state state = {.mode = INITIALISING};
    int powered = 0, starved = 0;
    bool is_fault_shown = false;
    for (int i = 0; i < STEPS; i++) {
        struct outputs out = step(&state, &record.at[i]);
        powered += out.is_power_on;
        starved += !out.is_watchdog_fed;
        is_fault_shown = out.is_fault_shown;
    }
    return is_fault_shown && starved > 0 ? -1 : powered;
}

#else /* one step in each call: see the how-to about sequences */

struct outputs switch_step(struct switch_inputs in)
{
    static struct state state = {.mode = INITIALISING};
    return step(&state, &in);
}

#endif
