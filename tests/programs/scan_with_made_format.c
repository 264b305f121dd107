// function: command
/* The format of `sscanf` is made when the program runs. */
#include <stdio.h>

int command(const char *line)
{
    char form[32], name[6], letter;
    unsigned number;
    int read;
    snprintf(form, sizeof form, "<%%%ds %%c %%x>", (int)sizeof name - 1);
    read = sscanf(line, form, name, &letter, &number);
    if (read < 3)                         // expect branch: covered
        return -1;
    switch (letter) {
    case 'S':                             // expect branch: covered
        return number > 0xff ? 1 : 2;
    case 'D':                             // expect branch: covered
        return 3;
    default:                              // expect branch: covered
        return -2;
    }
}
