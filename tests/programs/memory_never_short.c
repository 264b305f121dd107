// function: copies
// That there is memory is an assumption for these, behind which nothing is infeasible.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int copies(int number)
{
    char *text = NULL;
    if (asprintf(&text, "%d", number & 7) < 0)  // expect branch(true): unknown; branch(false): covered
        return -1;
    free(text);
    wchar_t *wide = wcsdup(L"ab");
    if (wide == NULL)  // expect branch(true): unknown; branch(false): covered
        return -2;
    free(wide);
    return 0;
}
