// function: serve
// options: --time-limit 60
/* A command comes one character with each call, while another function says that there is one: both need as many answers
   as the format has characters. */
#include <stdio.h>

int is_ready(void);
int receive(char *to, int count);

int serve(void)
{
    char line[64], command;
    int used = 0, first, second;
    while (is_ready() > 0) {                                            // expect branch: covered
        if (receive(&line[used], 1) < 1)                                // expect branch: covered
            return -1;
        if (used == 0 && line[0] != '<')                                // expect branch: covered
            continue;
        if (line[used] != '>' && used < 62) {
            used++;
            continue;
        }
        line[used + 1] = 0;
        used = 0;
        if (sscanf(line, "< set %c %d %d >", &command, &first, &second) < 3)    // expect branch: covered
            return 1;
        return command == 'S' ? 2 : 3;                                  // expect mcdc: covered
    }
    return 0;
}
