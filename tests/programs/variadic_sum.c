// function: sum
// A caller could pass more arguments than were tried.
#include <stdarg.h>

int sum(int count, ...)
{
    va_list list;
    int total = 0, seen = 0;
    va_start(list, count);
    while (count-- > 0) {  // expect branch: covered
        total += va_arg(list, int);
        seen++;
    }
    va_end(list);
    if (seen > 60)  // expect branch(true): unknown
        return -1;
    return total;
}
