/* Functions and data that other files of the program define. */
#include <math.h>
#include <string.h>
struct reading { int value; double scale; };
extern int sensor(int channel, const char *name);
extern struct reading measure(struct reading *last);
extern void log_message(const char *format, ...);
extern double calibrate();
extern const char *describe(int (*visit)(int), unsigned flags);
extern int threshold;

int sample(int channel) {
    struct reading r = {channel, 1.5};
    log_message("channel %d", channel);
    if (sensor(channel, "a") > threshold)
        return -1;
    return measure(&r).value + (describe(0, 1u) == 0) + (calibrate() > sqrt(2.0)) + (int)strlen("x");
}
