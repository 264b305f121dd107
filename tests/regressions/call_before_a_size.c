// function: step
/* Whether `exit` comes back is not seen at the size, for which no code is generated: a decision that is never over was
   covered. */
#include <stdlib.h>

struct pair { char first; int second; };

int step(int level)
{
    int is_kept =
        level > 3 &&  // expect gacc: unknown; mcdc: unknown
        (exit(3), sizeof(struct pair) == 8);  // expect gacc(true): unknown; gacc(false): infeasible; mcdc(true): unknown; mcdc(false): infeasible
    return is_kept;
}
