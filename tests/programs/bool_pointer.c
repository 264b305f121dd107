// function: toggle
#include <stdbool.h>
int toggle(bool *flag, const bool *locks)
{
    if (*flag && !locks[2])  // expect branch: covered
        *flag = false;
    return *flag;
}
