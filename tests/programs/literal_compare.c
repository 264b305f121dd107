// function: color_of
#include <string.h>
int color_of(const char *name)
{
    if (!strcmp(name, "red"))  // expect branch: covered
        return 1;
    if (!strcmp(name, "green"))
        return 2;
    if (!strncmp(name, "blu", 3))
        return 3;
    return 0;
}
