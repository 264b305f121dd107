// function: show
// A text may be as long as it likes, and a size may be more than some libraries take.
#include <stdio.h>
#include <stddef.h>
static char line[128];
int show(const char *text, int a, size_t size)
{
    int length = snprintf(line, sizeof line, "%s", text);
    if (length < 0)                             // expect branch(true): unknown; branch(false): covered
        return -1;
    if (length > 127)                           // expect branch(true): unknown; branch(false): covered
        return -2;
    if (size > 128 && size < 0x80000000u)       // expect branch: covered
        return 0;
    return length;
}
