// function: version
#include <stdio.h>

int version(char text[6])
{
    int major, minor;
    text[5] = '\0';
    if (sscanf(text, "%d.%d", &major, &minor) != 2)  // expect branch: covered
        return -1;
    if (major == 2 && minor > 6)  // expect branch: covered
        return 1;
    return 0;
}
