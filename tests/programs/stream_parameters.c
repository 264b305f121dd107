// function: count
// options: --input 'stdin = array 4'
// expect outcome: returned
#include <stdio.h>

/* A stream that is read is standard input, one that is written is standard output, or they are NULL. */
int count(FILE *in, FILE *out, int limit)
{
    int c, n = 0;
    if (in == NULL)  // expect branch: covered
        return -1;
    while ((c = getc(in)) != EOF && n < limit)  // expect branch: covered
        if (c == ';')  // expect branch: covered
            n++;
    if (out)  // expect branch: covered
        fprintf(out, "%d\n", n);
    if (c < -1)  // expect branch(true): unknown; branch(false): covered
        return 2;
    return n > 2;
}
