// function: checked
// expect outcome: exited
// expect outcome: returned
#include <stdio.h>
#include <stdlib.h>

int checked(int size)
{
    if (size < 0) {  // expect branch: covered
        printf("bad size %d\n", size);
        exit(3);
    }
    if (size < 0)  // expect branch(true): infeasible; branch(false): covered
        return -1;
    return size;
}
