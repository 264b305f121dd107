/* Probes: vectors of decisions, conditions that are no branches, labels. */
#include <setjmp.h>

#include "runtime.h"

/* A decision was evaluated with the vector of this point. */
void tr_vector(u32 point)
{
    if (!tr_doubtful_vector) hit(point);
}
void tr_vector_if(u32 flag, u32 point)
{
    if (flag && !tr_doubtful_vector) hit(point);
}

/* A condition that is no branch. `previous` is what the one before in the same evaluation of the decision got here, at
 * first 0. What follows such a condition is noted even if it is concrete, because the path between may matter:
 *
 *     (a ^ b) && f(c)       a and b are no branches; f may return 0 here and 1 there */
u32 tr_observe(u32 condition, u32 e, u32 value, u32 previous)
{
    e = give_up_address(e);
    if (!(e | previous) || in_label || is_closed(tr_control->labels + condition)) return previous;
    u32 number = add_observation(EVENT_CONDITION, condition, e, value, previous);
    return number ? number : previous;
}

/* A condition that is a branch: recorded only after a condition that is not a branch. */
u32 tr_observe_branch(u32 condition, u32 e, u32 value, u32 previous)
{
    return previous ? tr_observe(condition, e, value, previous) : 0;
}

/* Whether to enter the region that is about to begin: not if no run needs it any more, not if an earlier run entered it
 * at this place of the same path, and not in a function that the predicate of another label calls. If regions are part
 * of the path, all are entered. */
u32 tr_label_is_open(u32 label)
{
    if (tr_control->options & OPTION_DIRECT) return 1;
    return !in_label && tr_control->events >= tr_control->observed_events && !is_closed(label);
}

void tr_label_begin(u32 label)
{
    (void)label;
    if (in_label++) return;
    is_abandoned = 0;
    outside.observations = tr_control->observations;
    outside.flags = tr_control->flags;
    outside.place = tr_control->place;
    outside.library_call = tr_library_call;
    outside.steps = tr_control->steps;
}

/* Restore the state before the region. Returns what happened in it, as WAS_... */
static u32 end_region(void)
{
    enum { ITS_OWN = FLAG_APPROXIMATE | FLAG_BOUND };
    u32 raised = tr_control->flags & ~outside.flags;
    put_notes_back();
    tr_control->flags = outside.flags | (raised & ~(u32)ITS_OWN);
    tr_control->place = outside.place;
    tr_library_call = outside.library_call;
    tr_control->steps = outside.steps;
    return (raised & FLAG_APPROXIMATE ? WAS_APPROXIMATE : 0) | (raised & FLAG_BOUND ? WAS_BOUND : 0);
}

static void end_direct(u32 label, u32 point, u32 e, u32 value)
{
    (void)label;
    check_written(e, tr_control->place);
    if (value) hit(point);
    if (e) add_event(EVENT_LABEL, point, e, value);
}

/* A label that this run covers, or that some run did, needs no observations. */
void tr_label_end(u32 label, u32 point, u32 e, u32 value)
{
    if (!in_label || --in_label) return;
    if (tr_control->options & OPTION_DIRECT) return end_direct(label, point, e, value);
    u32 was = end_region();
    int has_observed = tr_control->observations != outside.observations;
    if (depends_on_address(e)) was |= WAS_APPROXIMATE;
    if (is_abandoned || is_unwritten(e) || depends_on_address(e)) e = value = 0;
    if (value) hit(point);
    if (value || is_closed(label))
        tr_control->observations = outside.observations;
    else if (e || was || has_observed)
        add_observation(EVENT_LABEL, label, e, value | was, 0);
}

/* Accesses and divisions in a region: where the run would end, the region is abandoned. The machine then uses the
 * returned value, which is harmless. */
u32 tr_label_shadow; /* of what is loaded or divided */

static const u64 nothing[8] __attribute__((aligned(64)));

static int is_lost(void) { return is_tight() && is_abandoned; }

/* From here on the caller has to leave the region; 1 if the region was abandoned. */
#define ABANDONS_HERE() (has_way_out = is_tight(), has_way_out && setjmp(way_out))

static void abandon(void)
{
    is_abandoned = 1;
    has_way_out = 0;
}

void *tr_label_load(void *at, void *base, u32 eaddress, u32 bits, u32 sort, u32 place)
{
    tr_label_shadow = 0;
    if (is_lost()) return (void *)nothing;
    if (ABANDONS_HERE()) {
        abandon();
        return (void *)nothing;
    }
    tr_label_shadow = tr_load(at, base, eaddress, bits, sort, place);
    has_way_out = 0;
    return at;
}

/* The divisor if the division is possible, else a harmless one. */
u64 tr_label_divide(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 place)
{
    tr_label_shadow = 0;
    if (is_lost()) return 1;
    if (ABANDONS_HERE()) {
        abandon();
        return 1;
    }
    tr_label_shadow = tr_divide(op, bits, ea, a, eb, b, place);
    has_way_out = 0;
    return b;
}
