// function: measure
// `mbrtowc(..., NULL)` keeps the beginning of a character between calls: nothing is proved.
#include <wchar.h>

int measure(char first)
{
    wchar_t wide;

    if (mbrtowc(&wide, &first, 1, NULL) == 2)  // expect branch(true): unknown; branch(false): covered
        return 1;
    return 0;
}
