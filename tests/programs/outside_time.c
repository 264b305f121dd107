// function: is_late
// The clock is an input.
#include <time.h>

int is_late(time_t deadline)
{
    time_t now;
    time_t before = time(&now);
    if (before < 0 && now > 0) // expect branch#2(true): infeasible
        return -1;
    if (now > deadline && deadline > 1000000) // expect branch: covered
        return 1;
    if (time(NULL) < before)
        return 2;
    return 0;
}
