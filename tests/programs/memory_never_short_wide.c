// function: copy
// Without a loop, it is the formula of the whole function that must not prove that there is memory.
#include <stdlib.h>
#include <wchar.h>

int copy(int number)
{
    wchar_t *wide = wcsdup(L"ab");
    if (wide == NULL)  // expect branch(true): unknown; branch(false): covered
        return -1;
    free(wide);
    return number;
}
