/* Loops whose state comes again (weaving/weave_loops.py). What a turn is compared with is kept for 1, 2, 4 ... turns, so
 * that a circle of any length is noticed (Brent's algorithm). */
#include <string.h>

#include "runtime.h"

/* Other inputs may share the path and leave the loop later: for them, the run goes on for some events. */
enum { STEPS_IN_CIRCLE = 4000 };

u64 tr_changes; /* grows where memory may have changed */

typedef struct {
    u64 changes; /* when the state was kept */
    u64 turns, most;
} circle;

static void keep(u64 *loop, u32 count, circle *c, u64 most)
{
    memcpy(loop + count, loop, count * sizeof *loop);
    *c = (circle){tr_changes, 0, most};
}

/* `loop`: the state, the one that was kept, a circle. `goes_on`: this is not its first turn. */
void tr_turn(u64 *loop, u32 count, u32 goes_on)
{
    circle *c = (circle *)(loop + 2 * count);
    if (!goes_on) return keep(loop, count, c, 1);
    u64 last = tr_control->step_limit - STEPS_IN_CIRCLE;
    if (c->changes == tr_changes && memcmp(loop, loop + count, count * sizeof *loop) == 0 &&
        tr_control->step_limit > STEPS_IN_CIRCLE && tr_control->steps < last)
        tr_control->steps = last;
    if (++c->turns >= c->most) keep(loop, count, c, 2 * c->most);
}
