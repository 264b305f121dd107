// function: main
// options: --max-runs 300
/* A file that the program opens has the content of standard input, if that is its name. */
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *file;
    if (argc != 2)                       // expect branch: covered
        return 1;
    file = fopen(argv[1], "r");
    if (file == NULL)                    // expect branch: covered
        return 2;
    if (file == stdin)                   // expect branch(true): unknown; branch(false): covered
        return 3;
    if (getc(file) == '#' && getc(file) == '\n')    // expect branch: covered
        return 4;
    return 0;
}
