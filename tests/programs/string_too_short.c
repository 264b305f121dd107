// function: is_long
// A string of our default length is no proof that there are no longer ones.
#include <string.h>
int is_long(const char *text)
{
    if (strlen(text) > 20)  // expect branch(true): unknown
        return 1;
    return 0;
}
