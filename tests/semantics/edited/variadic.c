// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* Arguments without names, a variable-length array, choices and commas. */
#include <stdarg.h>
static int add(int count, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}
int f(unsigned char a, unsigned char b)
{
    int room[a + 1], n = 0;
    for (int i = 0; i <= a; i++)
        room[i] = i * b;
    n = (n = add(2, a, b), n > 3 ? add(a, b, b, b) : room[a]);
    if (n == 6 && b)
        return 1;
    volatile int seen = n;
    if (seen > 1)
        n -= room[0];
    return n == 2;
}
