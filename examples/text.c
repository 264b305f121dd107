/* Reads a clock time such as "07:45" with the help of the C library.
 * Try: tightrope generate text.c:minutes_of_day */

#include <ctype.h>
#include <string.h>

/* Minutes since midnight, or -1 when the text is no time of day. */
int minutes_of_day(const char text[6])
{
    if (memchr(text, '\0', 6) != text + 5)
        return -1;
    if (text[2] != ':' || strchr(text + 3, ':') != 0)
        return -1;
    for (int i = 0; i < 5; i++)
        if (i != 2 && !isdigit((unsigned char)text[i]))
            return -1;
    int hours = (text[0] - '0') * 10 + (text[1] - '0');
    int minutes = (text[3] - '0') * 10 + (text[4] - '0');
    if (hours > 23 || minutes > 59)
        return -1;
    return hours * 60 + minutes;
}
