// function: longest
#include <string.h>
struct entry { const char *name; };
int longest(const struct entry *entries, int count)
{
    for (int at = 0; at < count && at < 2; at++)  // expect branch: covered
        if (entries[at].name && strlen(entries[at].name) > 15)  // expect branch#2(true): unknown
            return at;
    return -1;
}
