/* The state machine of a sliding door. */
#include <stdbool.h>

typedef enum { DOOR_CLOSED, DOOR_OPENING, DOOR_OPEN, DOOR_CLOSING, DOOR_BLOCKED } door_state;
typedef enum { EVENT_NONE, EVENT_BUTTON, EVENT_END_STOP, EVENT_OBSTACLE, EVENT_TIMEOUT } door_event;

static door_state state = DOOR_CLOSED;
static unsigned attempts; /* to close, since it was last closed */
static unsigned last_error;

extern void motor(int direction, int speed);
extern void lamp(bool is_on);
extern void log_event(const char *text, int detail);

static void start(int direction, door_state next)
{
    motor(direction, attempts > 2 ? 30 : 80);
    state = next;
}

static void stop(door_state next)
{
    motor(0, 0);
    state = next;
}

door_state door_step(door_event event, bool is_locked)
{
    switch (state) {
    case DOOR_CLOSED:
        if (event == EVENT_BUTTON && !is_locked) {
            lamp(true);
            start(1, DOOR_OPENING);
        }
        break;
    case DOOR_OPENING:
        if (event == EVENT_END_STOP) stop(DOOR_OPEN);
        if (event == EVENT_OBSTACLE) {
            last_error = 17;
            log_event("obstacle while opening", (int)attempts);
            stop(DOOR_BLOCKED);
        }
        break;
    case DOOR_OPEN:
        if (event == EVENT_TIMEOUT || event == EVENT_BUTTON) start(-1, DOOR_CLOSING);
        break;
    case DOOR_CLOSING:
        if (event == EVENT_OBSTACLE || event == EVENT_BUTTON) {
            attempts++;
            start(1, DOOR_OPENING);
        } else if (event == EVENT_END_STOP) {
            stop(DOOR_CLOSED);
            attempts = 0;
            lamp(false);
        }
        break;
    case DOOR_BLOCKED:
        if (event == EVENT_BUTTON && is_locked) {
            last_error = 0;
            start(-1, DOOR_CLOSING);
        }
        break;
    }
    return state;
}
