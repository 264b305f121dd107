// function: port
#include <stdlib.h>

int port(const char digits[4])
{
    char text[4] = {digits[0], digits[1], digits[2], '\0'};
    int number = atoi(text);
    if (number > 99)  // expect branch: covered
        return 1;
    if (number == -42)  // expect branch: covered
        return 2;
    if (number > 999)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    return 0;
}
