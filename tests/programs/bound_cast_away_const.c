// function: cut
// `const` is a promise that a cast breaks.
#include <string.h>
int cut(const char *a, const int *b)
{
    int kept = *b;
    char *end = strchr(a, ',');
    if (!end)
        return 0;
    *end = 'x';
    if (*b != kept)  // expect branch(true): unknown
        return 1;
    return 2;
}
