/* Model of <errno.h>: errno lives with the models, so that it is as new before each run. */

static int error_number;

int *tightrope_model___errno_location(void) { return &error_number; }
