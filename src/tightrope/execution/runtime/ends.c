/* Events, and the ways in which a run ends. */
#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

control *tr_control;
static jmp_buf run_start;

static event *events(void) { return (event *)((u8 *)tr_control + tr_control->events_at); }

void add_event(u32 kind, u32 site, u32 condition, u32 side) {
  if (tr_control->events >= tr_control->events_capacity) {
    tr_control->flags |= FLAG_EVENTS_FULL | FLAG_APPROXIMATE;
    return;
  }
  events()[tr_control->events++] = (event){condition, site, (u16)side, (u16)kind};
}

_Noreturn void end_run(u32 outcome, u32 reason, u32 place, u32 status) {
  tr_control->outcome = outcome;
  tr_control->reason = reason;
  tr_control->place = place;
  tr_control->status = status;
  if (syscall(SYS_gettid) != getpid()) _exit(1); /* a thread of the unit: it has no way back to the start */
  longjmp(run_start, 1);
}

/* A condition that the rest of the run relies on. */
static void guard(u32 condition, int holds, u32 place) {
  condition = settle(condition);
  if (condition) add_event(EVENT_GUARD, place, condition, (u32)holds);
}

/* The bytes of one value are often pinned one after the other. */
static int is_last_event(u32 kind, u32 site, u32 condition) {
  const event *last = events() + tr_control->events - 1;
  return tr_control->events && last->kind == kind && last->site == site && last->condition == condition;
}

/* The value stays what it is in this run: `e == value` joins the path condition, its negation offers
 * the other values. */
void pin(u32 e, u64 value, u32 place) {
  if (!e || is_constant(e)) return;
  u32 c = make_constant(tr_nodes[e].bits, tr_nodes[e].sort, value);
  u32 same = tr_nodes[e].sort == SORT_FLOAT ? make_node(OP_F_SAME, 1, SORT_BITS, e, c, 0, 0) : build_compare(OP_EQ, e, c);
  if (settle(same) && !is_last_event(EVENT_PIN, place, same)) add_event(EVENT_PIN, place, same, 1);
}

void tr_pin(u32 e, u64 value, u32 place) { pin(e, value, place); }

/* Something that is not modelled happened: from here on the path is approximate. */
void tr_concrete(u32 place) {
  tr_control->flags |= FLAG_APPROXIMATE;
  tr_control->place = place;
  add_event(EVENT_CONCRETE, place, 0, 0);
}

void tr_assume(u32 e, u32 holds, u32 number) {
  if (e) add_event(EVENT_ASSUME, number, e, holds);
  if (!holds) end_run(RUN_REJECTED, WHY_ASSUMPTION, 0, number);
}

_Noreturn void tr_exit(int status, u32 place) { end_run(RUN_EXITED, WHY_EXIT, place, (u32)status); }
_Noreturn void tr_abort(u32 place) { end_run(RUN_CRASHED, WHY_ABORT, place, 0); }
_Noreturn void tr_unreachable(u32 place) { end_run(RUN_CRASHED, WHY_UNREACHABLE, place, 0); }
_Noreturn void tr_assertion(u32 place) { end_run(RUN_CRASHED, WHY_ASSERTION, place, 0); }

/* Code that is not woven is about to be called: if the process dies, it is there. Some of it may change the
 * process (signal handlers, folder, timers, threads ...). */
void tr_call_out(u32 place, u32 stains) {
  tr_control->place = place;
  if (stains) tr_control->flags |= FLAG_STAINED;
}
