// function: read_number
// What strtol does with a base that C does not know is up to the library: sanitizers set `end` to nothing.
#include <ctype.h>
#include <stdlib.h>

long read_number(const char *text, char **end, int base)
{
    char *own;
    if (!end)                                   // expect branch: covered
        end = &own;
    *end = (char *)text;
    long value = strtol(text, end, base);
    if (**end != '\0' && !isspace((unsigned char)**end))    // expect branch: covered
        return -1;
    return value;
}
