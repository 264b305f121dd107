// function: main
// options: --whole-program --max-runs 450 --engine search
/* Each command is easy to find, the order of several is not: no condition asks for the words before the last one. */
#include <stdio.h>
#include <string.h>

static int depth, is_open;

static int obey(const char *word, int number)
{
    if (strcmp(word, "open") == 0)              // expect branch: covered
        is_open = 1;
    else if (strcmp(word, "push") == 0)         // expect branch: covered
        depth += is_open && number > 2;
    else if (strcmp(word, "pop") == 0)          // expect branch: covered
        depth = depth > 0 ? depth - 1 : 0;
    else
        return 0;
    return depth > 3;                           // expect mcdc: covered
}

int main(void)
{
    char line[24], word[8];
    int number;
    while (fgets(line, sizeof line, stdin) != NULL) {   // expect branch: covered
        number = 0;
        if (sscanf(line, "%7s %d", word, &number) < 1)  // expect branch: covered
            continue;
        if (obey(word, number))                 // expect branch: covered
            return 1;
    }
    return 0;
}
