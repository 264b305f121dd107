// function: is_on
#include <string.h>

extern const char *setting(const char *name);

int is_on(void)
{
    const char *text = setting("power");
    if (!text) // expect branch: covered
        return -1;
    if (strcmp(text, "on") == 0)
        return 1;
    return 0;
}
