// function: label
#include <stdio.h>
#include <string.h>

/* Characters that snprintf writes are expressions: what the text says can be asked for. */
int label(int number, char letter)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%d:%c", number, letter);
    if (length == 6)  // expect branch: covered
        return 1;
    if (strcmp(text, "42:x") == 0)  // expect branch: covered
        return 2;
    if (text[0] == '-' && text[1] == '7')  // expect branch: covered
        return 3;
    if (length > 13)  // expect branch(true): infeasible; branch(false): covered
        return 4;
    return 0;
}
