// function: is_long
// options: --input 'text = string 12'
// With eight characters, which is the default, nobody would get here.
#include <string.h>
int is_long(const char *text)
{
    if (strlen(text) > 10)  // expect branch: covered
        return 1;
    return 0;
}
