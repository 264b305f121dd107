// function: weigh
#include <stdarg.h>
#include <stdio.h>

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static void report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

/* More arguments than there are registers: they are inputs all the same. */
int weigh(int a, int b)
{
    report("%d %d\n", a, b);
    if (a < 0 || a > 9 || b < 0 || b > 9)  // expect branch: covered
        return -1;
    if (sum(8, 1, 2, 3, a, 4, 5, 6, b) == 35)  // expect branch: covered
        return 1;
    if (sum(2, a, b) > 18)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    return 0;
}
