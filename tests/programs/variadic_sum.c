// function: sum
// options: --max-runs 300
// A function with `...` is called with arguments of the types that it reads.
#include <stdarg.h>

int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n && i < 3; i++) {  // expect branch: covered
        int one = va_arg(list, int);        // expect branch(false): unknown
        if (one > 100)                      // expect branch: covered
            total += one;
    }
    va_end(list);
    if (total == 1234)                      // expect branch: covered
        return -1;
    return total;
}
