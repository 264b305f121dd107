// function: level
#include <stdlib.h>

/* A text of few digits becomes an exact expression. */
int level(char text[4])
{
    char *end;
    text[3] = '\0';
    double value = strtod(text, &end);
    if (end == text)  // expect branch: covered
        return -1;
    if (value == 2.5)  // expect branch: covered
        return 1;
    if (*end == 'V')  // expect branch: covered
        return 2;
    return 0;
}
