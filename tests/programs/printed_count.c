// function: width
// printf writes through an argument.
#include <stdio.h>

int width(int x)
{
    int count = 0;
    printf("%d%n", x, &count);
    if (count == 11) // expect branch(true): unknown
        return 1;
    return 0;
}
