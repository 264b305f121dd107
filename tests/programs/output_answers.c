// function: tell
#include <stdio.h>

/* What output functions answer follows from what they are given. */
int tell(int number)
{
    if (fputs("text", stderr) == EOF)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    if (putchar('c') != 'c')  // expect branch(true): infeasible; branch(false): covered
        return -2;
    if (printf("%d\n", number) == 4)  // expect branch: covered
        return 1;
    if (fprintf(stderr, "%x", number) > 8)  // expect branch(true): infeasible; branch(false): covered
        return -3;
    return 0;
}
