// function: is_yes
#include <wchar.h>
int is_yes(const wchar_t *word)
{
    if (!word)  // expect branch: covered
        return -1;
    if (word[0] == L'j' && word[1] == L'a' && !word[2])
        return 1;
    return 0;
}
