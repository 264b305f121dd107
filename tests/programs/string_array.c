// function: has_help
#include <string.h>
int has_help(const char *const *words)
{
    for (int at = 0; words[at]; at++)  // expect branch: covered
        if (!strcmp(words[at], "-h"))
            return at + 1;
    return 0;
}
