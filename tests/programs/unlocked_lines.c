// function: count_comments
// Small libraries read without locks, as busybox does.
#define _GNU_SOURCE
#include <stdio.h>
int count_comments(void)
{
    char line[16];
    int count = 0;
    while (fgets_unlocked(line, sizeof line, stdin))  // expect branch: covered
        if (line[0] == '#')  // expect branch: covered
            count++;
    if (count > 2)  // expect branch: covered
        return count;
    return 0;
}
