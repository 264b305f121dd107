// assume: v.t[0] >= 'a' && v.t[0] <= 'c' && v.t[1] >= 'a' && v.t[1] <= 'c' && (v.t[2] == 0 || v.t[2] == 'b')
// domain: v.t[0]=97..99 v.t[1]=97..99 v.t[2]=0,98
#include <string.h>
struct word { char t[3]; };
int f(struct word v)
{
    char text[8] = "x", copy[8];
    memcpy(text + 1, v.t, 3);
    text[4] = 0;
    if (strlen(text) == 4 && text[3] != 'b')
        return 1;
    strcpy(copy, text + 1);
    if (strcmp(copy, "ab") == 0)
        return 2;
    if (strcmp(copy, "abb") == 0 && strlen(copy) == 2)
        return 3;
    if (strncmp(copy, "cab", 2) == 0)
        return 4;
    return strchr(text, 'c') == 0 && memcmp(copy, "ba", 2) == 0;
}
