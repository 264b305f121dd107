/* The mode logic of a flight guidance system: which mode steers sideways, which one up and down, and who flies.
 *
 * Function under test: run_guidance, which makes a few steps of the logic from power-up.
 * The experiment uses -DSTEPS=4: approach is armed, captured sideways, captured on the glide path, and left.
 *
 * Pilots press switches. At most one press is seen in a step: that of the highest priority. A mode may be armed first
 * and becomes active by itself when the aircraft comes near what it follows. Each side of the cockpit has such a
 * system; the one that flies is active, the other repeats its modes. */

#include <stdbool.h>

#ifndef STEPS
#define STEPS 4
#endif

enum {
    CAPTURE_DEVIATION = 20,  /* tenths of a dot: near enough to follow a beam */
    GLIDE_DEVIATION = 10,
    CAPTURE_DISTANCE = 500,  /* feet from the selected altitude */
    HOLD_DISTANCE = 50,
    HIGHEST = 50000,         /* feet */
    DECISION_HEIGHT = 200,   /* feet above ground */
    LARGEST_BANK = 45,       /* degrees */
    WARNING_STEPS = 2
};

enum lateral { ROLL, HEADING, NAVIGATION, APPROACH, LATERAL_GO_AROUND };

enum vertical { PITCH, VERTICAL_SPEED, LEVEL_CHANGE, ALTITUDE_CAPTURE, ALTITUDE_HOLD, GLIDE, VERTICAL_GO_AROUND };

enum source { NO_SOURCE, RADIO_BEACON, LANDING_BEAM, COMPUTED_ROUTE };

struct switches {
    bool transfer, go_around, disconnect, engage, director;
    bool approach, navigation, heading;
    bool altitude_hold, level_change, vertical_speed;
    bool synchronise; /* held, not pressed: the pilot steers by hand for a moment */
};

struct guidance_inputs {
    struct switches switches;
    enum source source;
    bool is_source_valid;
    bool is_attitude_valid;
    bool is_overspeed;
    bool is_wheel_turned; /* of the vertical speed or pitch */
    int lateral_deviation, glide_deviation; /* tenths of a dot */
    int altitude, selected_altitude;        /* feet */
    int height;                             /* feet above ground */
    int bank;                               /* degrees */
    bool is_other_side_ready;
};

struct guidance_record {
    struct guidance_inputs at[STEPS];
};

struct events {
    bool transfer, go_around, disconnect, engage, director;
    bool approach, navigation, heading;
    bool altitude_hold, level_change, vertical_speed;
};

struct state {
    struct switches before;
    bool is_left_active;
    bool is_director_on;
    bool is_autopilot_engaged;
    int warning_steps; /* how long the end of the autopilot is still announced */
    bool is_independent; /* both sides fly the last part of an approach, each for itself */
    enum lateral lateral;
    bool is_navigation_armed, is_approach_armed;
    enum vertical vertical;
    bool is_capture_armed, is_glide_armed;
    int selected_altitude;
};

/* --- what the pilots did -------------------------------------------------------------------- */

static bool is_pressed(bool now, bool before)
{
    return now && !before;
}

/* The order is the priority. */
static struct events see_events(const struct switches *now, const struct switches *before)
{
    struct events e = {false};
    e.disconnect = is_pressed(now->disconnect, before->disconnect);
    e.transfer = is_pressed(now->transfer, before->transfer) && !e.disconnect;
    bool is_taken = e.disconnect || e.transfer;
    e.go_around = is_pressed(now->go_around, before->go_around) && !is_taken;
    e.engage = is_pressed(now->engage, before->engage) && !is_taken && !e.go_around;
    is_taken = is_taken || e.go_around || e.engage;
    e.approach = is_pressed(now->approach, before->approach) && !is_taken;
    e.navigation = is_pressed(now->navigation, before->navigation) && !is_taken && !e.approach;
    is_taken = is_taken || e.approach || e.navigation;
    e.heading = is_pressed(now->heading, before->heading) && !is_taken;
    e.altitude_hold = is_pressed(now->altitude_hold, before->altitude_hold) && !is_taken && !e.heading;
    is_taken = is_taken || e.heading || e.altitude_hold;
    e.level_change = is_pressed(now->level_change, before->level_change) && !is_taken;
    e.vertical_speed = is_pressed(now->vertical_speed, before->vertical_speed) && !is_taken && !e.level_change;
    e.director = is_pressed(now->director, before->director) && !is_taken && !e.level_change && !e.vertical_speed;
    return e;
}

static bool is_lateral_event(const struct events *e)
{
    return e->approach || e->navigation || e->heading;
}

static bool is_vertical_event(const struct events *e)
{
    return e->altitude_hold || e->level_change || e->vertical_speed;
}

/* --- where the aircraft is ------------------------------------------------------------------ */

static bool is_within(int value, int limit)
{
    return value <= limit && value >= -limit;
}

static bool is_possible(const struct guidance_inputs *in)
{
    bool is_altitude_possible = in->altitude >= -1000 && in->altitude <= HIGHEST;
    return is_altitude_possible && in->selected_altitude >= 0 && in->selected_altitude <= HIGHEST;
}

static int distance_to_selected(const struct guidance_inputs *in)
{
    return in->altitude - in->selected_altitude;
}

static bool can_capture_route(const struct guidance_inputs *in)
{
    bool is_route = in->source == RADIO_BEACON || in->source == COMPUTED_ROUTE;
    return is_route && in->is_source_valid && is_within(in->lateral_deviation, CAPTURE_DEVIATION);
}

static bool can_capture_beam(const struct guidance_inputs *in)
{
    return in->source == LANDING_BEAM && in->is_source_valid && is_within(in->lateral_deviation, CAPTURE_DEVIATION);
}

/* --- flight director and autopilot ---------------------------------------------------------- */

static void update_director(struct state *s, const struct guidance_inputs *in, const struct events *e)
{
    bool is_mode_wanted = is_lateral_event(e) || is_vertical_event(e) || e->go_around;
    bool turns_on = (e->director && !s->is_director_on) || is_mode_wanted || e->engage || in->is_overspeed;
    bool turns_off = e->director && s->is_director_on && !s->is_autopilot_engaged && !in->is_overspeed;
    if (turns_on)
        s->is_director_on = true;
    else if (turns_off || !in->is_attitude_valid)
        s->is_director_on = false;
}

static bool can_engage(const struct guidance_inputs *in)
{
    return in->is_attitude_valid && !in->switches.disconnect && is_within(in->bank, LARGEST_BANK)
        && !(in->switches.synchronise || in->is_overspeed);
}

static void update_autopilot(struct state *s, const struct guidance_inputs *in, const struct events *e)
{
    bool was_engaged = s->is_autopilot_engaged;
    bool engages = e->engage && !was_engaged && can_engage(in);
    bool is_ended_by_pilot = e->disconnect || e->go_around || (e->engage && was_engaged);
    bool is_ended_by_failure = !in->is_attitude_valid || !is_within(in->bank, LARGEST_BANK + 10);
    if (engages)
        s->is_autopilot_engaged = true;
    else if (was_engaged && (is_ended_by_pilot || is_ended_by_failure))
        s->is_autopilot_engaged = false;
    if (was_engaged && !s->is_autopilot_engaged)
        s->warning_steps = WARNING_STEPS;
    else if (s->warning_steps > 0 && !e->disconnect)
        s->warning_steps--;
    else
        s->warning_steps = 0; /* a second press ends the warning */
}

/* --- sideways ------------------------------------------------------------------------------- */

static void clear_lateral(struct state *s, enum lateral mode)
{
    s->lateral = mode;
    s->is_navigation_armed = false;
    s->is_approach_armed = false;
}

static void press_navigation(struct state *s)
{
    if (s->lateral == NAVIGATION || s->is_navigation_armed) {
        clear_lateral(s, s->lateral == NAVIGATION ? ROLL : s->lateral);
    } else {
        s->is_navigation_armed = true;
        s->is_approach_armed = false;
    }
}

static void press_approach(struct state *s)
{
    bool is_on = s->lateral == APPROACH || s->is_approach_armed;
    if (is_on) {
        clear_lateral(s, s->lateral == APPROACH ? ROLL : s->lateral);
        s->is_glide_armed = false;
    } else {
        s->is_approach_armed = true;
        s->is_navigation_armed = false;
        s->is_glide_armed = s->vertical != GLIDE;
    }
}

/* Armed modes that come near enough, and active ones that lose what they follow. */
static void follow_lateral(struct state *s, const struct guidance_inputs *in)
{
    bool is_lost = (s->lateral == NAVIGATION || s->lateral == APPROACH)
        && (!in->is_source_valid || in->source == NO_SOURCE || (s->lateral == APPROACH && in->source != LANDING_BEAM));
    if (is_lost)
        clear_lateral(s, ROLL);
    else if (s->is_navigation_armed && can_capture_route(in))
        clear_lateral(s, NAVIGATION);
    else if (s->is_approach_armed && can_capture_beam(in) && !s->is_navigation_armed)
        clear_lateral(s, APPROACH);
}

static void update_lateral(struct state *s, const struct guidance_inputs *in, const struct events *e)
{
    if (!s->is_director_on || e->transfer)
        clear_lateral(s, ROLL);
    else if (e->go_around)
        clear_lateral(s, LATERAL_GO_AROUND);
    else if (s->lateral == LATERAL_GO_AROUND && (e->engage || in->switches.synchronise))
        clear_lateral(s, ROLL);
    else if (e->heading)
        clear_lateral(s, s->lateral == HEADING ? ROLL : HEADING);
    else if (e->navigation)
        press_navigation(s);
    else if (e->approach)
        press_approach(s);
    else
        follow_lateral(s, in);
}

/* --- up and down ---------------------------------------------------------------------------- */

static bool is_holding_altitude(const struct state *s)
{
    return s->vertical == ALTITUDE_HOLD || s->vertical == ALTITUDE_CAPTURE;
}

static void clear_vertical(struct state *s, enum vertical mode)
{
    s->vertical = mode;
    s->is_capture_armed = mode != GLIDE && mode != VERTICAL_GO_AROUND && mode != ALTITUDE_HOLD;
}

static void toggle_vertical(struct state *s, enum vertical mode)
{
    clear_vertical(s, s->vertical == mode ? PITCH : mode);
}

/* The glide path can only be followed by an aircraft that already follows the beam. */
static bool can_capture_glide(const struct state *s, const struct guidance_inputs *in)
{
    return s->is_glide_armed && s->lateral == APPROACH && in->is_source_valid
        && is_within(in->glide_deviation, GLIDE_DEVIATION);
}

static void follow_vertical(struct state *s, const struct guidance_inputs *in)
{
    int distance = distance_to_selected(in);
    bool has_selection_changed = in->selected_altitude != s->selected_altitude;
    if (can_capture_glide(s, in)) {
        clear_vertical(s, GLIDE);
        s->is_glide_armed = false;
    } else if (s->vertical == GLIDE && (s->lateral != APPROACH || !in->is_source_valid)) {
        clear_vertical(s, PITCH);
    } else if (s->vertical == ALTITUDE_CAPTURE && has_selection_changed) {
        clear_vertical(s, PITCH);
    } else if (s->vertical == ALTITUDE_CAPTURE && is_within(distance, HOLD_DISTANCE)) {
        clear_vertical(s, ALTITUDE_HOLD);
    } else if (s->is_capture_armed && !has_selection_changed && is_within(distance, CAPTURE_DISTANCE)) {
        s->vertical = ALTITUDE_CAPTURE;
        s->is_capture_armed = false;
    } else if (in->is_wheel_turned && (is_holding_altitude(s) || s->vertical == VERTICAL_GO_AROUND)) {
        clear_vertical(s, PITCH);
    }
}

static void update_vertical(struct state *s, const struct guidance_inputs *in, const struct events *e)
{
    bool is_speed_protected = in->is_overspeed && s->vertical != GLIDE && s->vertical != LEVEL_CHANGE;
    if (!s->is_director_on || e->transfer) {
        clear_vertical(s, PITCH);
        s->is_glide_armed = false;
    } else if (e->go_around) {
        clear_vertical(s, VERTICAL_GO_AROUND);
        s->is_glide_armed = false;
    } else if (is_speed_protected && !is_holding_altitude(s)) {
        clear_vertical(s, LEVEL_CHANGE);
    } else if (e->altitude_hold && s->vertical != GLIDE) {
        toggle_vertical(s, ALTITUDE_HOLD);
    } else if (e->level_change && (s->vertical != LEVEL_CHANGE || !in->is_overspeed)) {
        toggle_vertical(s, LEVEL_CHANGE);
    } else if (e->vertical_speed && s->vertical != GLIDE) {
        toggle_vertical(s, VERTICAL_SPEED);
    } else {
        follow_vertical(s, in);
    }
    s->selected_altitude = in->selected_altitude;
}

/* --- sides ---------------------------------------------------------------------------------- */

/* Low on an approach both sides fly at once, so that one may fail. */
static void update_sides(struct state *s, const struct guidance_inputs *in, const struct events *e)
{
    bool is_approach_flown = s->lateral == APPROACH && s->vertical == GLIDE;
    bool is_low = in->height <= DECISION_HEIGHT && in->height > 0;
    if (e->transfer && !s->is_independent)
        s->is_left_active = !s->is_left_active;
    s->is_independent = is_approach_flown && s->is_autopilot_engaged && in->is_other_side_ready
        && (is_low || s->is_independent);
}

/* --- steps ---------------------------------------------------------------------------------- */

static void step(struct state *s, const struct guidance_inputs *in)
{
    struct events e = see_events(&in->switches, &s->before);
    update_autopilot(s, in, &e);
    update_director(s, in, &e);
    update_lateral(s, in, &e);
    update_vertical(s, in, &e);
    update_sides(s, in, &e);
    s->before = in->switches;
}

/* What the displays show, as digits. */
static int annunciate(const struct state *s)
{
    bool is_shown = s->is_director_on && (s->is_left_active || s->is_independent);
    bool is_warning = s->warning_steps > 0 || (s->is_autopilot_engaged && !s->is_director_on);
    int modes = is_shown ? 10 * (int)s->lateral + (int)s->vertical : 0;
    return modes + 100 * s->is_autopilot_engaged + 1000 * is_warning;
}

#ifndef AS_STEP_FUNCTION

/* Returns what is shown at the end; -1 for altitudes that are none. */
int run_guidance(struct guidance_record record)
{
    struct state state = {.is_left_active = true, .is_capture_armed = true};
    for (int i = 0; i < STEPS; i++) {
        if (!is_possible(&record.at[i]))
            return -1;
        step(&state, &record.at[i]);
    }
    return annunciate(&state);
}

#else /* one step in each call: see the how-to about sequences */

static struct state guidance = {.is_left_active = true, .is_capture_armed = true};

/* Returns what is shown; -1 for altitudes that are none. */
int guidance_step(struct guidance_inputs in)
{
    if (!is_possible(&in))
        return -1;
    step(&guidance, &in);
    return annunciate(&guidance);
}

#endif
