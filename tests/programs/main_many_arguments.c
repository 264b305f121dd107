// function: main
// options: --max-runs 400
/* As many arguments as the code compares argc with, and as long as it compares texts. */
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 7)                                        // expect branch: covered
        return 1;
    if (strcmp(argv[1], "--as-long-as-this-one") == 0)   // expect branch: covered
        return 2;
    if (atoi(argv[6]) > atoi(argv[5]) + 40)              // expect branch: covered
        return 3;
    return 0;
}
