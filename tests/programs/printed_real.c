// function: shown
#include <stdio.h>

/* A real number stays as it is in a run when it is printed; everything else goes on being an expression. */
int shown(double value, unsigned char count)
{
    char text[40];
    snprintf(text, sizeof text, "%.2f%u", value, count);
    if (text[4] == '9' && text[5] == '3')  // expect branch: covered
        return 1;
    return 0;
}
