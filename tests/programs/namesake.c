// function: check
// expect outcome: returned
#include <stddef.h>

/* Shares its name with a function of the C library, and nothing else: it gets a stub. */
int error(const char *where, size_t length, const char *format, ...);

int check(int a)
{
    if (a > 5)  // expect branch: covered
        return error("check", 3, "%d", a);
    if (error(NULL, 0, "") == 7)  // expect branch: covered
        return 1;
    return 0;
}
