// function: boot
// What the linker puts between two symbols is cleared: it may be the variable.
#include <stddef.h>
#include <string.h>

extern unsigned _bss_start, _bss_end;
static int is_ready;

int boot(int is_cold)
{
    if (!is_cold) // expect branch(true): unknown
        return 2;
    is_ready = 3;
    memset(&_bss_start, 0, (size_t)((char *)&_bss_end - (char *)&_bss_start));
    if (is_ready == 0) // expect branch: unknown
        return 1;
    return 0;
}
