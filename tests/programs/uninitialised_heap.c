// function: block
// So does a new heap block; one from calloc is zero.
#include <stdlib.h>
int block(int a)
{
    int *new = malloc(8), *zero = calloc(2, 4), answer = 0;
    if (!new || !zero)  // expect branch: covered
        return -1;
    new[0] = a;
    if (zero[1] != 0)  // expect branch(true): unknown; branch(false): covered
        answer = 1;
    if (new[0] == 3)  // expect branch: covered
        answer = 2;
    if (a == 9 && new[1] == 0)  // expect branch#1(true): unknown; branch#1(false): covered; branch#2: unknown; outcome(use of an uninitialised value): crashed
        answer = 3;
    free(new);
    free(zero);
    return answer;
}
