// function: first
// A member that may have no value at its place is not followed: the function itself would go on there.
#include <tightrope.h>
int first(int *p, int n)
{
    TIGHTROPE_HYPERLABEL("1 then 2"); // expect label: unknown
    TIGHTROPE_HYPERLABEL("2 then 3"); // expect label: covered
    pc_label(*p == 3, 1, "FIRST"); // expect label: covered
    pc_label(n > 3 && (n & 1 || !n), 2, "ODD"); // expect label: covered
    if (n == 7)
        pc_label_bindings(1, 3, "SEVEN", 0, 0); // a label without bindings has no objective of its own
    return p ? n : 0;
}
