// function: main
// options: --string-length 4
// expect outcome: exited
// expect outcome: returned
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbose;

int main(int argc, char **argv)
{
    if (argc < 2) {  // expect branch: covered
        fprintf(stderr, "usage: %s [-v] number\n", argv[0]);
        return 2;
    }
    if (strcmp(argv[1], "-v") == 0) {  // expect branch: covered
        verbose = 1;
        if (argc < 3)  // expect branch: covered
            exit(3);
        return atoi(argv[2]) == 42 ? 0 : 1;  // expect branch: covered
    }
    if (argc > 9)  // expect branch: covered
        return 4;
    if (argc > 5000)  // expect branch(true): unknown; branch(false): covered
        return 5;
    return argv[argc] == NULL;
}
