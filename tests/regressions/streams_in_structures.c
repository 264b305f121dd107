// function: report
// A stream is no constant, so that no initialiser of static data can hold it; a caller may give others than ours.
#include <stdio.h>
struct target { FILE *log; int level; };
int report(const struct target *target, struct target other)
{
    if (!target || !target->log)  // expect branch: covered
        return 0;
    if (other.log && other.level == 3)  // expect branch: covered
        return 1;
    if (target->log == stderr)  // expect branch(true): unknown
        return 2;
    return 3;
}
