// function: show
// A function of another file that takes a va_list is answered for like any other.
#include <stdarg.h>

int format(const char *text, va_list arguments);
int format_at(va_list *arguments);

static int print(const char *text, ...)
{
    va_list arguments;
    int written;
    va_start(arguments, text);
    written = format(text, arguments) + format_at(&arguments);
    va_end(arguments);
    return written;
}

int show(int level)
{
    if (level > 3) // expect branch: covered
        if (print("level %d", level) == 1234) // expect branch: covered
            return 1;
    return 0;
}
