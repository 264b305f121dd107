// function: upper
#include <ctype.h>
int upper(char *text)
{
    int changed = 0;
    for (; *text; text++)  // expect branch: covered
        if (islower((unsigned char)*text)) {
            *text = (char)toupper((unsigned char)*text);
            changed++;
        }
    return changed == 2;
}
