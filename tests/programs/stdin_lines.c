// function: command
// options: --input 'stdin = array 8'
// expect outcome: returned
#include <stdio.h>
#include <string.h>

/* Not main: whoever reads standard input gets it. */
int command(int fallback)
{
    char line[8];
    if (fgets(line, sizeof line, stdin) == NULL)  // expect branch: covered
        return fallback;
    if (strcmp(line, "quit\n") == 0)  // expect branch: covered
        return -1;
    int first = getc(stdin);
    if (first == '#') {  // expect branch: covered
        ungetc('!', stdin);
        if (fgetc(stdin) != '!')  // expect branch(true): infeasible; branch(false): covered
            return 5;
        return 6;
    }
    return 0;
}
