// function: five
// options: --engine encoding
/* Which answer a call of malloc gets depends on inputs. Five calls may come, and there are four answers; the next input
   is one of a register and has another width, so it is no candidate. */
#include <stdlib.h>

extern volatile int state;

static int takes(int wanted)
{
    if (!wanted)
        return 0;
    char *block = malloc(2);
    if (!block)
        return 100;
    block[0] = 1;
    int found = block[0];
    free(block);
    return found;
}

int five(int flags)
{
    int found = 0;
    found += takes(flags & 1);
    found += takes(flags & 2);
    found += takes(flags & 4);
    found += takes(flags & 8);
    found += takes(flags & 16);
    if (found == 5 && state == 7) // expect branch: covered
        return 1;
    return 0;
}
