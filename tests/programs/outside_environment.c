// function: verbosity
#include <stdlib.h>

int verbosity(void)
{
    const char *text = getenv("VERBOSE");
    if (!text) // expect branch: covered
        return 0;
    if (text[0] == 'y' && text[1] == 0)
        return 1;
    return 2;
}
