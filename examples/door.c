/* A sliding door: it opens when somebody comes, and closes when nobody has come for a while.
 * Try: tightrope generate examples/door.c --sequence 'door_step*12'
 * State: a state machine. What its defaults and checks guard against never happens, and that is proved. */
#include <stdbool.h>

enum { WAY = 2, PATIENCE = 3 };

enum door { CLOSED, OPENING, OPEN, CLOSING, FAULT };

static enum door state = CLOSED;
static int position, waited;

enum door door_step(bool is_wanted, bool is_blocked)
{
    if (position < 0 || position > WAY)
        state = FAULT;
    switch (state) {
    case CLOSED:
        if (is_wanted)
            state = OPENING;
        break;
    case OPENING:
        if (++position == WAY) {
            state = OPEN;
            waited = 0;
        }
        break;
    case OPEN:
        if (is_wanted || is_blocked)
            waited = 0;
        else if (++waited == PATIENCE)
            state = CLOSING;
        break;
    case CLOSING:
        if (is_blocked)
            state = position < WAY ? OPENING : OPEN;
        else if (--position == 0)
            state = CLOSED;
        break;
    default:
        return FAULT;
    }
    return state;
}
