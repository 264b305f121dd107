// function: sum
#include <stdarg.h>

int sum(int count, ...)  
{
    va_list list;
    int total = 0;
    va_start(list, count);
    while (count-- > 0)  // expect branch: covered
        total += va_arg(list, int);
    va_end(list);
    return total;
}
