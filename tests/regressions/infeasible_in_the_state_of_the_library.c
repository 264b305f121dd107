// function: next_word
// strtok(NULL, ...) goes on with the text of an earlier call, which another function has made; without one it crashes.
#include <string.h>
int next_word(int is_first)
{
    if (is_first)  // expect branch(true): covered; branch(false): unknown
        return 2;
    char *word = strtok(NULL, ",");
    if (word)  // expect branch: unknown
        return 1;
    return 0;
}
