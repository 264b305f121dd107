// function: report
/* Output may fail and set errno, and a caller may have called setlocale: the code alone says nothing about it. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>

int report(int code)
{
    errno = 0;
    printf("%d\n", code);
    if (errno == ENOSPC) // expect branch(true): unknown
        return 1;
    perror("report");
    if (errno == EIO) // expect branch(true): unknown
        return 2;
    return code;
}
