/* The brake controller of an aircraft's wheels, in the manner of the example of ARP 4761.
 *
 * Function under test: run_brakes, which makes a few steps of the controller from power-up.
 * The experiment uses -DSTEPS=3.
 *
 * Two channels of a computer turn pedals and autobrake into a wanted pressure. Normal brakes work from the green
 * hydraulic circuit, as the computer wants, with antiskid; alternate brakes from the blue circuit, as the pedals want.
 * Emergency brakes work from an accumulator, which lasts for one application and has no antiskid. */

#include <stdbool.h>

#ifndef STEPS
#define STEPS 3
#endif

enum {
    PEDAL_PRESSED = 10,   /* percent */
    PEDAL_OVERRIDE = 50,  /* percent: ends autobrake */
    PEDAL_FULL = 100,
    PRESSURE_LOST = 80,   /* bar, of a hydraulic circuit */
    PRESSURE_BACK = 120,
    PRESSURE_FULL = 207,
    CHANNEL_TOLERANCE = 5, /* percent */
    CHANNEL_PATIENCE = 1,  /* steps in which channels may disagree */
    SLOW = 20,             /* knots: no antiskid below */
    TOUCHDOWN_SPEED = 60,  /* knots: spin-up of the wheels after touchdown */
    ACCUMULATOR_CHARGES = 1
};

enum mode { NORMAL, ALTERNATE, EMERGENCY };

enum level { LEVEL_OFF, LEVEL_LOW, LEVEL_MEDIUM, LEVEL_MAXIMUM };

struct brake_inputs {
    int pedal_1, pedal_2; /* percent, as each of the two channels reads it */
    bool is_powered_1, is_powered_2;
    enum level level; /* the selector of autobrake */
    bool is_on_ground;
    bool is_gear_down;
    bool is_throttle_idle;
    bool is_parking_set;
    int green_pressure, blue_pressure; /* bar */
    int aircraft_speed, wheel_speed;   /* knots */
};

struct brake_record {
    struct brake_inputs at[STEPS];
};

struct autobrake {
    bool is_armed;
    bool is_active;
    enum level level;
};

struct controller {
    enum mode mode;
    bool is_computer_failed; /* for good, until power-up */
    int disagreements;       /* steps in a row */
    bool is_green_lost, is_blue_lost;
    struct autobrake autobrake;
    bool is_skidding;
    int charges; /* of the accumulator */
    bool was_applied;
};

struct brake_outputs {
    int green_pressure, blue_pressure, accumulator_pressure; /* bar, at the wheels */
    bool is_warning_on;
};

/* --- inputs --------------------------------------------------------------------------------- */

static int difference(int a, int b)
{
    return a > b ? a - b : b - a;
}

static bool is_percent(int value)
{
    return value >= 0 && value <= PEDAL_FULL;
}

/* A channel that reads nonsense counts as a pedal that is not touched. */
static int read_channel(int pedal)
{
    return is_percent(pedal) ? pedal : 0;
}

static bool are_plausible(const struct brake_inputs *in)
{
    bool are_pressures_plausible = in->green_pressure >= 0 && in->green_pressure <= 250
        && in->blue_pressure >= 0 && in->blue_pressure <= 250;
    bool are_speeds_plausible = in->aircraft_speed >= 0 && in->aircraft_speed < 400
        && in->wheel_speed >= 0 && in->wheel_speed < 500;
    return are_pressures_plausible && are_speeds_plausible;
}

/* The larger of what the channels read that have power; a pilot who brakes is believed. */
static int read_pedal(const struct brake_inputs *in)
{
    bool is_valid_1 = in->is_powered_1 && is_percent(in->pedal_1);
    bool is_valid_2 = in->is_powered_2 && is_percent(in->pedal_2);
    if (is_valid_1 && (!is_valid_2 || in->pedal_1 >= in->pedal_2))
        return in->pedal_1;
    return is_valid_2 ? in->pedal_2 : 0;
}

/* --- the computer --------------------------------------------------------------------------- */

static void watch_channels(struct controller *c, const struct brake_inputs *in)
{
    bool has_power = in->is_powered_1 || in->is_powered_2;
    bool is_pair = in->is_powered_1 && in->is_powered_2;
    bool is_wrong = is_pair && !is_percent(in->pedal_1) && !is_percent(in->pedal_2);
    bool do_disagree = is_pair && difference(read_channel(in->pedal_1), read_channel(in->pedal_2)) > CHANNEL_TOLERANCE;
    c->disagreements = do_disagree ? c->disagreements + 1 : 0;
    if (!has_power || is_wrong || c->disagreements > CHANNEL_PATIENCE)
        c->is_computer_failed = true;
}

/* Pressure is lost below one border and back above a higher one. */
static bool is_circuit_lost(bool was_lost, int pressure)
{
    return pressure < PRESSURE_LOST || (was_lost && pressure < PRESSURE_BACK);
}

static void choose_mode(struct controller *c, const struct brake_inputs *in)
{
    c->is_green_lost = is_circuit_lost(c->is_green_lost, in->green_pressure);
    c->is_blue_lost = is_circuit_lost(c->is_blue_lost, in->blue_pressure);
    if (!c->is_green_lost && !c->is_computer_failed)
        c->mode = NORMAL;
    else if (!c->is_blue_lost)
        c->mode = ALTERNATE;
    else
        c->mode = EMERGENCY;
}

static void update_autobrake(struct controller *c, const struct brake_inputs *in, int pedal)
{
    struct autobrake *autobrake = &c->autobrake;
    bool is_maximum_refused = in->level == LEVEL_MAXIMUM && !in->is_on_ground; /* it is for rejected take-offs */
    bool can_arm = in->level != LEVEL_OFF && c->mode == NORMAL && !is_maximum_refused;
    bool is_overridden = autobrake->is_active && (pedal > PEDAL_OVERRIDE || !in->is_throttle_idle);
    if (!can_arm || is_overridden) {
        autobrake->is_armed = false;
        autobrake->is_active = false;
    } else if (!autobrake->is_armed || autobrake->level != in->level) {
        autobrake->is_armed = true;
        autobrake->level = in->level;
    } else if (in->is_on_ground && in->is_throttle_idle
               && (in->wheel_speed > TOUCHDOWN_SPEED || autobrake->is_active)) {
        autobrake->is_active = true;
    }
}

static int wanted_by_autobrake(const struct autobrake *autobrake)
{
    if (!autobrake->is_active)
        return 0;
    switch (autobrake->level) {
    case LEVEL_LOW:
        return 25;
    case LEVEL_MEDIUM:
        return 50;
    case LEVEL_MAXIMUM:
        return 100;
    default:
        return 0;
    }
}

static void detect_skid(struct controller *c, const struct brake_inputs *in)
{
    int slip = in->aircraft_speed - in->wheel_speed;
    bool is_locked = in->wheel_speed == 0;
    bool starts = slip * 5 > in->aircraft_speed || is_locked;
    bool ends = slip * 10 < in->aircraft_speed;
    if (in->aircraft_speed < SLOW || !in->is_on_ground || c->mode == EMERGENCY)
        c->is_skidding = false;
    else if (!c->is_skidding && starts)
        c->is_skidding = true;
    else if (c->is_skidding && ends && !is_locked)
        c->is_skidding = false;
}

/* --- pressure ------------------------------------------------------------------------------- */

/* Before touchdown wheels must be free to spin up; in retraction they are stopped. */
static bool is_braking_allowed(const struct brake_inputs *in)
{
    return in->is_on_ground || (!in->is_gear_down && !in->is_parking_set);
}

static int wanted_percent(const struct controller *c, const struct brake_inputs *in, int pedal)
{
    int automatic = wanted_by_autobrake(&c->autobrake);
    bool is_parked = in->is_parking_set && in->is_on_ground && in->aircraft_speed < SLOW;
    if (is_parked)
        return PEDAL_FULL;
    if (!is_braking_allowed(in) || (pedal < PEDAL_PRESSED && automatic == 0))
        return 0;
    return pedal > automatic ? pedal : automatic;
}

static int limited(int percent, int available)
{
    int pressure = percent * PRESSURE_FULL / PEDAL_FULL;
    return pressure < available ? pressure : available;
}

/* Each new application costs one charge. */
static int use_accumulator(struct controller *c, int percent)
{
    if (percent > 0 && !c->was_applied && c->charges > 0)
        c->charges--;
    else if (percent > 0 && !c->was_applied)
        return 0;
    return limited(percent, PRESSURE_FULL);
}

static void apply(struct controller *c, const struct brake_inputs *in, int percent, struct brake_outputs *out)
{
    int released = c->is_skidding ? 0 : percent;
    switch (c->mode) {
    case NORMAL:
        out->green_pressure = limited(released, in->green_pressure);
        break;
    case ALTERNATE:
        out->blue_pressure = limited(released, in->blue_pressure);
        break;
    case EMERGENCY:
        out->accumulator_pressure = use_accumulator(c, percent);
        break;
    }
    c->was_applied = percent > 0 && (c->mode != EMERGENCY || out->accumulator_pressure > 0);
}

/* --- steps ---------------------------------------------------------------------------------- */

static void step(struct controller *c, const struct brake_inputs *in, struct brake_outputs *out)
{
    int pedal = read_pedal(in);
    watch_channels(c, in);
    choose_mode(c, in);
    update_autobrake(c, in, pedal);
    detect_skid(c, in);
    apply(c, in, wanted_percent(c, in, pedal), out);
    out->is_warning_on = c->mode == EMERGENCY || (c->is_computer_failed && in->is_gear_down)
        || (c->mode == ALTERNATE && c->is_green_lost && !in->is_on_ground);
}

#ifndef AS_STEP_FUNCTION

/* Returns the pressures of the last step, added up; -1 for inputs that no sensor gives. */
int run_brakes(struct brake_record record)
{
    struct controller c = {.mode = NORMAL, .charges = ACCUMULATOR_CHARGES};
    int sum = 0;
    for (int i = 0; i < STEPS; i++) {
        struct brake_outputs out = {0};
        if (!are_plausible(&record.at[i]))
            return -1;
        step(&c, &record.at[i], &out);
        sum = out.green_pressure + out.blue_pressure + out.accumulator_pressure + out.is_warning_on;
    }
    return sum;
}

#else /* one step in each call: see the how-to about sequences */

static struct controller controller = {.mode = NORMAL, .charges = ACCUMULATOR_CHARGES};

/* Returns 0 for inputs that no sensor gives. */
int brake_step(struct brake_inputs in, struct brake_outputs *out)
{
    if (!are_plausible(&in))
        return 0;
    *out = (struct brake_outputs){0};
    step(&controller, &in, out);
    return 1;
}

#endif
