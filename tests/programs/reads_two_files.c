// function: both
// options: --input 'stdin = array 4'
/* Of two files that it opens, the second begins where the first one ended: this says nothing about other files. */
#include <stdio.h>

int both(const char *name)
{
    FILE *first = fopen("first", "r"), *second;
    int c;
    if (!first || !name)                         // expect branch: covered
        return -1;
    while ((c = getc(first)) != EOF)             // expect branch: covered
        if (c == '!')                            // expect branch: covered
            return 1;
    second = fopen(name, "r");
    if (!second)                                 // expect branch: covered
        return -2;
    if (getc(second) != EOF)                     // expect branch(true): unknown; branch(false): covered
        return 2;
    return 0;
}
