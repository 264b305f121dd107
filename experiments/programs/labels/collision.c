/* The vertical part of an airborne collision avoidance unit: another aircraft is near, should ours
 * climb, descend, or keep its height? Stands for `tcas` of Table I.
 * Function under test: resolve. One size. Its inputs are the state of the unit, in globals, as the
 * tasks that listen to the sensors and to the other aircraft's unit leave it.
 *
 * All heights are in feet, rates in feet per minute. */

#define USUAL_RATE 300          /* a pilot who climbs or descends without haste */
#define LARGEST_RATE 600        /* a faster climb or descent is already an escape */
#define VERTICAL_LIMIT 100      /* nearer than this, only the pilot's eyes can help */
#define LEAST_CROSSING 300      /* paths that cross need at least this between them now */
#define CLIMB_BONUS 100         /* what a descent must be better by, when we cannot climb well */
#define LARGEST_DISTANCE 100000

enum advisory { KEEP, CLIMB, DESCEND, CLIMB_FAST, DESCEND_FAST };

enum intent { NO_INTENT, WILL_NOT_CLIMB, WILL_NOT_DESCEND };

enum equipment { SAME_UNIT, OTHER_UNIT };

/* What the trackers know. */
int tracked_well;
int report_valid;
int separation_now;

/* Own aircraft and the intruder. */
int own_height;
int own_rate;
int other_height;
int climb_is_weak;

/* The smallest distances ahead, if we climb and if we descend. */
int separation_climbing;
int separation_descending;
int layer;

/* What the other unit told us. */
enum intent other_intent;
enum equipment other_equipment;

/* The higher, the thinner the air and the less exact the height: more distance is wanted. */
static int wanted_separation(void)
{
    switch (layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 600;
    case 3:
        return 640;
    case 4:
        return 700;
    default:
        return 740;
    }
}

static int own_is_below(void)
{
    return own_height < other_height;
}

static int own_is_above(void)
{
    return other_height < own_height;
}

/* What climbing promises. A weak climb gets a bonus so that it wins only when it is clearly needed. */
static int value_of_climb(void)
{
    if (climb_is_weak)
        return separation_climbing + CLIMB_BONUS;
    return separation_climbing;
}

static int climb_is_better(void)
{
    return value_of_climb() > separation_descending;
}

/* May we climb without crossing the intruder's path in a dangerous way? */
static int climb_is_safe(int wanted)
{
    if (climb_is_better())
        return !own_is_below() || separation_descending < wanted;
    return own_is_above() && separation_now >= LEAST_CROSSING && separation_climbing >= wanted;
}

static int descent_is_safe(int wanted)
{
    if (climb_is_better())
        return own_is_below() && separation_now >= LEAST_CROSSING && separation_descending >= wanted;
    return !own_is_above() || separation_climbing < wanted;
}

static enum advisory choose(int wanted)
{
    int wants_climb = climb_is_safe(wanted) && own_is_below();
    int wants_descent = descent_is_safe(wanted) && own_is_above();
    if (wants_climb && wants_descent)
        return KEEP;
    if (wants_climb)
        return CLIMB;
    if (wants_descent)
        return DESCEND;
    return KEEP;
}

/* Is what we gain too little, and do we not yet move fast enough the right way? */
static int must_hurry(enum advisory advisory, int wanted)
{
    if (advisory == CLIMB)
        return separation_climbing < wanted && own_rate < USUAL_RATE;
    if (advisory == DESCEND)
        return separation_descending < wanted && own_rate > -USUAL_RATE;
    return 0;
}

/* Two units must not send both aircraft the same way; the one that spoke first is right. */
static int contradicts(enum advisory advisory)
{
    if (other_equipment != SAME_UNIT || !report_valid)
        return 0;
    if (other_intent == WILL_NOT_CLIMB)
        return advisory == DESCEND;
    return other_intent == WILL_NOT_DESCEND && advisory == CLIMB;
}

/* A distance that no sensor can measure comes from a broken sensor. */
static int is_measurable(int distance)
{
    return distance >= 0 && distance <= LARGEST_DISTANCE;
}

static int is_enabled(void)
{
    if (!tracked_well || own_rate > LARGEST_RATE || own_rate < -LARGEST_RATE)
        return 0;
    if (!is_measurable(separation_climbing) || !is_measurable(separation_descending))
        return 0;
    return separation_now > VERTICAL_LIMIT;
}

enum advisory resolve(void)
{
    if (!is_enabled())
        return KEEP;
    int wanted = wanted_separation();
    enum advisory advisory = choose(wanted);
    if (contradicts(advisory))
        return KEEP;
    if (must_hurry(advisory, wanted))
        return advisory == CLIMB ? CLIMB_FAST : DESCEND_FAST;
    return advisory;
}
