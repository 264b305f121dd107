// function: count_rules
// options: --max-runs 400
/* A function that only reads the files that it opens: the stream is an input, with the content of standard input, or there
 * is none. Whether it can be closed is an input, too. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int count_rules(int strict)
{
    char line[64];
    int rules = 0, is_open = 0;
    FILE *file = fopen("/etc/rules.conf", "r");
    if (file == NULL)                            // expect branch: covered
        return errno == ENOENT ? -1 : -2;        // expect branch(true): covered; branch(false): unknown; mcdc(true): covered; mcdc(false): unknown
    while (fgets(line, sizeof line, file)) {     // expect branch: covered
        if (!strchr(line, '\n') && !feof(file)) { // expect branch: covered; mcdc: covered
            fclose(file);
            return -3;
        }
        if (line[0] == '[')                      // expect branch: covered
            is_open = strncmp(line + 1, "rules]", 6) == 0;
        else if (is_open)                        // expect branch: covered
            rules++;
        else if (strict)                         // expect branch: covered
            break;
    }
    if (fclose(file) != 0)                       // expect branch: covered
        return -4;
    return rules;
}
