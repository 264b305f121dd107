// function: is_full
// options: --engine encoding
// `text + 5` would be the number 5 for NULL, which memchr does not survive: no run compares an address with a number.
#include <string.h>
int is_full(const char text[6])
{
    if (memchr(text, '\0', 6) != text + 5)
        return 0;
    if (text[5] != '\0')  // expect branch(true): infeasible
        return 2;
    return 1;
}
