// function: number
#include <stdio.h>

int number(const char *text)
{
    int found = 0;
    if (text == NULL)  // expect branch(true): unknown; branch(false): covered
        found = 1;
    if (sscanf(text, "%d", &found) != 1)  // expect outcome(null pointer dereferenced): crashed; branch: covered
        return -1;
    return found > 9;
}
