// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
/* What the library remembers from one call to the next: errno, random numbers, the text that strtok is in. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
static long number(const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    return *end ? -1 : value;
}
int f(unsigned char a, unsigned char b)
{
    static const char *const texts[4] = {"7", "12x", "99999999999999999999", ""};
    char words[] = "one two,three";
    long value = number(texts[a]);
    if (errno == ERANGE)
        return 1;
    if (value > 8 || (value < 0 && b))
        return 2;
    srand(b);
    int drawn = rand() & 1;
    if (b == 2)
        rand();
    if ((rand() & 1) == drawn)
        b++;
    char *word = strtok(words, b > 1 ? " " : ",");
    if (word && strlen(word) > 3)
        return 3;
    word = strtok(0, " ");
    return word && word[0] == 't';
}
