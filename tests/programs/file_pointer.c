// function: log_line
#include <stdio.h>
int log_line(FILE *file, int level)
{
    if (!file)  // expect branch: covered
        return -1;
    if (level > 2)
        return fprintf(file, "%d\n", level) > 0;
    return 0;
}
