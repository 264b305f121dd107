// function: show
// options: --max-runs 3000 --string-length 2
// Several types come in the order of the text. Another caller could pass them in another order, or more of them: so
// nothing is proved but what the code excludes whatever it is given.
#include <stdarg.h>

int show(const char *what, ...)
{
    va_list list;
    int found = 0;
    va_start(list, what);
    if (what[0] == 'd') {                       // expect branch: covered
        int number = va_arg(list, int);
        if (number == 77)                       // expect branch: covered
            found = 1;
        if (what[1] == 's') {                   // expect branch: covered
            char *text = va_arg(list, char *);
            if (text && text[0] == 'q')         // expect branch: covered
                found += 10;
        }
    }
    va_end(list);
    if (found == 12)                            // expect branch(true): infeasible
        return 1;
    return found;
}
