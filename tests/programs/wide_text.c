// function: word
#include <wchar.h>
#include <wctype.h>

int word(wchar_t text[4])
{
    text[3] = 0;
    if (wcscmp(text, L"on") == 0)  // expect branch: covered
        return 1;
    if (iswdigit(text[0]) && towupper(text[1]) == L'X')  // expect branch: covered
        return 2;
    if (iswalpha(text[0]) && text[0] > 127)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 3;
    return 0;
}
