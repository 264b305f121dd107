// function: joined
// Two bounds that only together are too short.
#include <string.h>
int joined(const char *first, const char *second)
{
    char both[64];
    if (strlen(first) > 20 || strlen(second) > 20)  // expect branch(true): unknown
        return -1;
    strcpy(both, first);
    strcat(both, second);
    if (strlen(both) == 17)  // expect branch(true): unknown
        return 1;
    return 0;
}
