// function: is_on_even_page
// Which object a pointer leads to, or none, must be part of the path before its number is: the objects lie elsewhere.
#include <stddef.h>
#include <stdint.h>
int is_on_even_page(const char *p, int length)
{
    if ((uintptr_t)p & 4096)  // expect branch(true): unknown
        return 0;
    if (length > 3)  // expect branch: covered
        return 1;
    if (p == NULL)  // expect branch(true): covered; branch(false): unknown
        return 2;
    return 3;
}
