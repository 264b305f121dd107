// function: same
/* What is read through `p ? p : &none` is read through one of the two: a text that is not empty is not `none`. Between the
   reads of a member, nothing may have written it. */
#include <string.h>

struct text { unsigned long length; unsigned char *bytes; };

int same(const struct text *query, const struct text *kept, int *out)
{
    struct text none = {0, 0};
    if (!out)                                                  // expect branch: covered
        return -1;
    if ((query ? query : &none)->length == 0)                  // expect branch: covered
        return 0;
    if (query == 0)                                            // expect branch(true): infeasible
        return 1;
    if ((kept ? kept : &none)->length != query->length)        // expect branch: covered
        return 2;
    if (kept == 0)                                             // expect branch(true): infeasible
        return 3;
    *out = 1;
    if ((kept ? kept : &none)->length == query->length)        // expect branch#1(false): infeasible; branch#2(false): unknown
        return 4;                                              // `out` may lead into `kept`
    return 5;
}
