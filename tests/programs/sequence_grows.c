// function: sequence_init_command
// options: --sequence 'init; command*3'
/* A text longer than the strings of the first shape, and a state that an earlier call sets: they need a larger shape. */
#include <string.h>

static int mode;

void init(void) { mode = 0; }

int command(const char *text)
{
    if (strcmp(text, "maintenance of the deck") == 0) {  // expect branch: covered
        if (mode == 2)                                   // expect branch: covered
            return 7;
        mode = 1;
        return 1;
    }
    if (text[0] == 'x')
        mode = 2;
    return 0;
}
