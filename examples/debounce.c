/* A button that bounces: its level counts once it has been read three times in a row.
 * Try: tightrope generate examples/debounce.c --sequence 'debounce*8'
 * State: static locals, which one call finds as they start. */
#include <stdbool.h>

enum { STABLE = 3 };

/* Returns whether the button is pressed. */
bool debounce(bool level)
{
    static bool is_pressed;
    static unsigned char count;

    if (level == is_pressed) {
        count = 0;
    } else if (++count >= STABLE) {
        is_pressed = level;
        count = 0;
    }
    return is_pressed && count < STABLE;
}
