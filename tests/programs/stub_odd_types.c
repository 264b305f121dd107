// function: report
// A `void *` answer is as large as its use, and functions that take a va_list can be stubs.
#include <stdarg.h>

struct item {
    long values[6];
    struct item *next;
};

extern void *find_item(int key);
extern int write_list(const char *format, va_list arguments);

static int print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = write_list(format, arguments);
    va_end(arguments);
    return count;
}

int report(int key)
{
    struct item *item = find_item(key);
    if (!item) // expect branch: covered
        return -1;
    if (item->values[5] == 1234)
        return 1;
    if (print("%d", key) < 0)
        return -2;
    return 0;
}
