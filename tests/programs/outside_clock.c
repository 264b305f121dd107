// function: elapsed
// Clocks that write what they say.
#define _POSIX_C_SOURCE 200809L
#include <sys/time.h>
#include <time.h>

long elapsed(long limit)
{
    struct timeval start;
    struct timespec now;
    if (gettimeofday(&start, 0) != 0 || clock_gettime(CLOCK_MONOTONIC, &now) != 0) // expect branch: covered
        return -1;
    if (now.tv_sec - start.tv_sec > limit)
        return 1;
    return 0;
}
