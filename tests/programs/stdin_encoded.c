// function: main
// options: --engine encoding --input 'stdin = array 4'
/* The formula knows the standard streams. */
#include <stdio.h>

int main(void)
{
    int first = getchar(), second = getc(stdin);
    if (first > 255)                            // expect branch(true): infeasible; branch(false): covered
        return 1;
    if (first == EOF && second != EOF)          // expect branch#2(true): infeasible; branch#1: covered; branch#2(false): covered
        return 2;
    if (first == 'o' && second == 'k')          // expect branch: covered
        return 3;
    if (stdin == NULL || stdout == stderr)      // expect branch(true): infeasible; branch(false): covered
        fputs("?", stderr);
    return 0;
}
