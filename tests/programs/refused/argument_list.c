// function: sum
#include <stdarg.h>

int sum(int count, va_list list)  // expect refused: va_list
{
    int total = 0;
    while (count-- > 0)
        total += va_arg(list, int);
    return total;
}
