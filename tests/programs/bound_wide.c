// function: long_word
#include <wchar.h>
int long_word(const wchar_t *word)
{
    if (wcslen(word) > 12)  // expect branch(true): unknown
        return 1;
    return 0;
}
