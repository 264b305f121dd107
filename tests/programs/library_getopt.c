// function: read_line
// getopt() is executed symbolically, with its variables.
#include <stdlib.h>
#include <unistd.h>

int read_line(char letter, char value)
{
    char first[4] = {'-', letter, value, 0}, *words[] = {"program", first, "-v", "operand", NULL};
    int option, level = 0, port = 0;
    optind = 1;
    while ((option = getopt(4, words, "vp:")) != -1) { // expect branch: covered
        switch (option) {
        case 'v': // expect branch: covered
            level++;
            break;
        case 'p': // expect branch: covered
            port = atoi(optarg);
            break;
        default: // expect branch: covered
            return -1;
        }
    }
    if (port == 7) // expect branch: covered
        return 1;
    if (level == 3) // expect branch: covered
        return 2;
    return optind;
}
