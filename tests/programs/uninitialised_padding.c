// function: differ
// Padding that nothing has written decides nothing: a comparison of all bytes is an error, one of all members is not.
#include <string.h>
struct gap { char c; int i; };
int differ(char c, int i, int how)
{
    struct gap one, other, full;
    one.c = other.c = c;
    one.i = i;
    other.i = 5;
    memset(&full, 0, sizeof full);
    full.c = c;
    full.i = i;
    if (one.c == other.c && one.i == other.i)  // expect branch#1(true): covered; branch#1(false): infeasible; branch#2: covered
        how++;
    if (how == 77 && memcmp(&one, &other, sizeof one) == 0)  // expect branch#1(true): unknown; branch#1(false): covered; branch#2: unknown; outcome(use of an uninitialised value): crashed
        return 2;
    one = full;
    if (memcmp(&one, &full, sizeof one) != 0)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    return 0;
}
