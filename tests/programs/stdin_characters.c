// function: main
// options: --input 'stdin = array 6'
// expect outcome: returned
#include <stdio.h>

int main(void)
{
    int c, lines = 0, digits = 0;
    while ((c = getchar()) != EOF) {  // expect branch: covered
        if (c == '\n')  // expect branch: covered
            lines++;
        else if (c >= '0' && c <= '9')  // expect branch: covered
            digits++;
    }
    if (!feof(stdin) || ferror(stdin))  // expect branch#1(false): unknown; branch#1(true): covered; branch#2(true): unknown; branch#2(false): covered
        return 9;
    if (lines == 2 && digits == 3)  // expect branch: covered
        return 1;
    if (lines == 7)  // expect branch(true): unknown; branch(false): covered
        return 2;
    return 0;
}
