// function: load
/* A file of settings. `=` occurs only as an argument of `strchr`. */
#include <stdio.h>
#include <string.h>

int load(const char *file_name)
{
    char line[40], *sign;
    int section = 0, speed = -1;
    FILE *file = fopen(file_name, "r");
    if (!file)                                   // expect branch: covered
        return -2;
    while (fgets(line, sizeof line, file)) {     // expect branch: covered
        if (line[0] == '[') {                    // expect branch: covered
            section = strncmp(line, "[port]", 6) == 0;
            continue;
        }
        if (!section)                            // expect branch: covered
            continue;
        sign = strchr(line, '=');
        if (!sign)                               // expect branch: covered
            break;
        if (line[0] == 's')                      // expect branch: covered
            speed = sign[1] - '0';
    }
    fclose(file);
    return speed;
}
