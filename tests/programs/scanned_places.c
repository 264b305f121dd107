// function: limits
#include <stdarg.h>
#include <stdio.h>

/* The format is not known where vsscanf is called. */
static int read_into(const char *text, const char *form, ...)
{
    va_list places;
    va_start(places, form);
    int count = vsscanf(text, form, places);
    va_end(places);
    return count;
}

int limits(char text[6])
{
    int low = 0;
    char unit[3] = "";
    text[5] = '\0';
    if (read_into(text, "%d%2[p-r]", &low, unit) != 2)  // expect branch: covered
        return -1;
    if (low < 0 && unit[1] == 'q')  // expect branch: covered
        return 1;
    return 0;
}
