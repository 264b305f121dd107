/* Events, and the ways in which a run ends. */
#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

control *tr_control;
static jmp_buf run_start;

static event *events(void) { return (event *)((u8 *)tr_control + tr_control->events_at); }

void add_event(u32 kind, u32 site, u32 condition, u32 side)
{
    if (is_tight()) return observe_event(kind, site, condition, side);
    if (tr_control->events >= tr_control->events_capacity) {
        tr_control->flags |= FLAG_EVENTS_FULL | FLAG_APPROXIMATE;
        return;
    }
    events()[tr_control->events++] = (event){condition, site, (u16)side, (u16)kind};
}

u32 tr_library_call; /* the place of the unit's last call of a model or through a pointer */

_Noreturn void end_run(u32 outcome, u32 reason, u32 place, u32 status)
{
    leave_label();
    tr_control->library_call = tr_library_call;
    tr_control->outcome = outcome;
    tr_control->reason = reason;
    tr_control->place = place;
    tr_control->status = status;
    if (syscall(SYS_gettid) != getpid()) _exit(1); /* a thread of the unit: it cannot return to the start of the run */
    longjmp(run_start, 1);
}

enum { PIN_LATE = 2 }; /* the side of a pin */

/* What the path condition already contains, by number of the node: twice the run, and the side. A second copy would
 * offer the search another side that no input takes. */
static u32 *known;
static u32 this_run;

static void ends_start(void) { known = tr_allocate(sizeof *known * tr_control->nodes_capacity); }
static void ends_reset(void) { this_run++; }

/* Whether the path condition already contains it; from now on it does. */
static int is_known(u32 condition, u32 side)
{
    while (tr_nodes[condition].op == OP_NOT) condition = tr_nodes[condition].a, side = !side;
    u32 mark = 2 * this_run + side;
    if (known[condition] == mark) return 1;
    keep_note(&known[condition], sizeof *known);
    known[condition] = mark;
    return 0;
}

static u32 give_up_address(u32 e); /* addresses.c */

/* A condition that the rest of the run relies on. */
static void guard(u32 condition, int holds, u32 place)
{
    condition = settle(condition);
    check_written(condition, place);
    condition = give_up_address(condition);
    if (condition && !is_known(condition, (u32)holds)) add_event(EVENT_GUARD, place, condition, (u32)holds);
}

/* A pointer that the input chose is about to be dereferenced: it must not be NULL. */
static void follow(u32 pointer, uintptr_t value, u32 place)
{
    u32 is_there = settle(build_not(build_compare(OP_EQ, pointer, make_constant(64, SORT_BITS, 0))));
    if (!is_there) return;
    check_written(is_there, place);
    if (!(is_there = give_up_address(is_there))) return;
    if (!is_known(is_there, value != 0)) add_event(EVENT_FOLLOW, place, is_there, value != 0);
    if (!value) end_run(RUN_CRASHED, WHY_NULL_INPUT, place, 0);
}

/* The value is kept as in this run: `e == value` becomes part of the path condition, and its negation offers the
 * other values. */
static void pin_early_or_late(u32 e, u64 value, u32 place, u32 when)
{
    if (!e || is_constant(e)) return;
    check_written(e, place);
    if (!(e = give_up_address(e))) return;
    u32 c = make_constant(tr_nodes[e].bits, tr_nodes[e].sort, value);
    u32 same =
        tr_nodes[e].sort == SORT_FLOAT ? make_node(OP_F_SAME, 1, SORT_BITS, e, c, 0, 0) : build_compare(OP_EQ, e, c);
    if (settle(same) && !is_known(same, 1)) add_event(EVENT_PIN, place, same, when);
}

void pin(u32 e, u64 value, u32 place) { pin_early_or_late(e, value, place, 1); }

/* Which object a pointer leads to: it seldom matters that two pointers share one, so the other choices are tried
 * last. */
static void pin_late(u32 e, u64 value, u32 place) { pin_early_or_late(e, value, place, PIN_LATE); }

void tr_pin(u32 e, u64 value, u32 place) { pin(e, value, place); }

/* The run does what C does not define, and most builds do not notice. */
static void note_risk(void)
{
    if (!in_label) tr_control->flags |= FLAG_RISKY;
}

/* Something that is not modelled happened: from here on the path is approximate. */
void tr_concrete(u32 place)
{
    tr_control->flags |= FLAG_APPROXIMATE;
    tr_control->place = place;
    add_event(EVENT_CONCRETE, place, 0, 0);
}

void tr_assume(u32 e, u32 holds, u32 number)
{
    check_written(e, 0);
    e = give_up_address(e);
    if (e) add_event(EVENT_ASSUME, number, e, holds);
    if (!holds) end_run(RUN_REJECTED, WHY_ASSUMPTION, 0, number);
}

/* A preference: a run that does not fulfil it is valid too, but the search tries it last. */
void tr_prefer(u32 e, u32 holds, u32 place)
{
    if (e && !is_known(e, holds)) add_event(EVENT_PREFER, place, e, holds);
}

_Noreturn void tr_exit(int status, u32 place) { end_run(RUN_EXITED, WHY_EXIT, place, (u32)status); }
_Noreturn void tr_abort(u32 place) { end_run(RUN_CRASHED, WHY_ABORT, place, 0); }
_Noreturn void tr_unreachable(u32 place) { end_run(RUN_CRASHED, WHY_UNREACHABLE, place, 0); }
_Noreturn void tr_endless(u32 place) { end_run(RUN_ENDLESS, WHY_ENDLESS, place, 0); }
_Noreturn void tr_jump(u32 place) { end_run(RUN_CRASHED, WHY_JUMP, place, 0); }
_Noreturn void tr_assertion(u32 place) { end_run(RUN_CRASHED, WHY_ASSERTION, place, 0); }

/* Code that is not woven is about to be called: if the process dies, it dies there. Some of this code may change the
 * process (signal handlers, folder, timers, threads ...). */
void tr_call_out(u32 place, u32 stains)
{
    tr_control->place = place;
    if (stains) tr_control->flags |= FLAG_STAINED;
}
