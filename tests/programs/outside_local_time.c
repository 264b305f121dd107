// function: is_summer
// What `localtime_r` writes is an input, although the name of the zone in it would be many of them.
#include <string.h>
#include <time.h>

int is_summer(long seconds, const char *season)
{
    struct tm now;
    char text[40];
    time_t when = seconds;
    if (!localtime_r(&when, &now)) return -1; // expect branch: covered
    strftime(text, sizeof text, "%H", &now);
    if (now.tm_mon >= 5) return 1; // expect branch: covered
    if (strcmp(season, "a summer that is too long for a short text") == 0) return 2; // expect branch: covered
    return 0;
}
