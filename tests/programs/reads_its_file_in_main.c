// function: main
/* A program cannot give another name to the file that it reads. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("settings.txt", "rb");
    int first;
    if (!file)                                   // expect branch: covered
        return 1;
    first = fgetc(file);
    if (fclose(file) == EOF)                     // expect branch: covered
        return 2;
    if (first == '#')                            // expect branch: covered
        return 3;
    return 0;
}
