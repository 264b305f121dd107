// function: starts_with_ab
#include <string.h>
int starts_with_ab(const char *text)
{
    if (!text || !*text)  // expect branch: covered
        return -1;
    if (strlen(text) == 5 && text[0] == 'a' && text[4] == 'b')
        return 2;
    if (strcmp(text, "begin") == 0)
        return 3;
    return 0;
}
