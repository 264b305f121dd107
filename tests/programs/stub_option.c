// function: read_word
// options: --stub fgetc --stub atoi
// Any function of the library can be a stub.
#include <stdio.h>
#include <stdlib.h>

int read_word(FILE *file)
{
    int first = fgetc(file), second = fgetc(file);
    if (first == EOF) // expect branch: covered
        return -1;
    if (first == 'o' && second == 'k')
        return 1;
    if (atoi("3") == 5)
        return 2;
    return 0;
}
