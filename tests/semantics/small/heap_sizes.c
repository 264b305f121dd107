// assume: a < 4 && b < 4
// domain: a=0..3 b=0..3
// unknown: shape runs_died
#include <stdlib.h>
#include <string.h>
int f(unsigned char a, unsigned char b)
{
    char *text = malloc(a + 1);
    if (!text)
        return -1;
    memset(text, 'x', a);
    text[a] = 0;
    int n = (int)strlen(text);
    if (n != a) {
        free(text);
        return 1;
    }
    text[b] = 'y';
    if (b < a && text[b] == 'x')
        n = 9;
    else if (b == 1 && strchr(text, 'y') != text + 1)
        n = 8;
    free(text);
    return n == 3 && b == 3;
}
