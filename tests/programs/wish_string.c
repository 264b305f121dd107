// function: f
#include <string.h>
#include <tightrope.h>
int f(const char *s)
{
    TIGHTROPE_INPUT("s = not-null, string 2");
    size_t n = strlen(s);
    if (n == 2)
        return 1;
    if (n == 3) // expect branch(true): unknown
        return 3;
    return 0;
}
