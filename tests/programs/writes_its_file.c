// function: note
/* A function that writes to a file calls the library, as before. */
#include <stdio.h>

int note(int level)
{
    FILE *log;
    if (level < 3)                               // expect branch: covered
        return 0;
    log = fopen("/no/such/folder/log", "a");
    if (log == NULL)                             // expect branch(true): covered; branch(false): unknown
        return -1;
    fprintf(log, "%d\n", level);
    fclose(log);
    return 1;
}
