// function: find_row
#include <string.h>
int find_row(char (*names)[8], int rows)
{
    for (int at = 0; at < rows && at < 2; at++)  // expect branch: covered
        if (strcmp(names[at], "key") == 0)
            return at;
    return -1;
}
