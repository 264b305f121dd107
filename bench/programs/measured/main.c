#include <stdio.h>
#include <stdlib.h>
#include "work.h"

int main(int count, char **words)
{
    printf("%u\n", work(count > 1 ? (unsigned)atoi(words[1]) : 1));
    return 0;
}
