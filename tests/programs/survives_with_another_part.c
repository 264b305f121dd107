// function: main
// options: --whole-program --max-runs 600 --engine search
/* With `-t`, most inputs end by an error. Some of those that do not are known before, without the option: parts of both
   are joined. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char line[16], word[8] = "";
    int hour = 0, minute = 0, is_timed = argc > 1 && strcmp(argv[1], "-t") == 0;
    const int *time = NULL;
    if (fgets(line, sizeof line, stdin) == NULL)             // expect branch: covered
        return 1;
    if (sscanf(line, "%7s %d:%d", word, &hour, &minute) == 3)   // expect branch: covered
        time = &hour;
    if (strcmp(word, "event") != 0)                          // expect branch: covered
        return 2;
    if (is_timed) {                                          // expect branch: covered
        if (time[0] > 11)                                    // expect branch: covered
            return 3;
        return 4;
    }
    return 0;
}
