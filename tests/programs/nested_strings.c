// function: find_tag
#include <string.h>
struct item { const char *tags[2]; int id; };
struct menu { struct item items[2]; };
int find_tag(const struct menu *menu)
{
    for (int at = 0; at < 2; at++)
        if (menu->items[at].tags[1] && strcmp(menu->items[at].tags[1], "on") == 0)  // expect branch: covered
            return menu->items[at].id > 7;
    return -1;
}
