/* Lines "name=value" for a list of settings: strings, a list, memory that may be missing, and a function of
 * another file. Try: tightrope inputs settings.c:apply, then tightrope generate settings.c:apply */

#include <stdlib.h>
#include <string.h>

struct setting {
    struct setting *next;
    int value;
    char name[4];
};

int may_change(const char *name); /* defined elsewhere */

/* Changes the setting that the line names, or adds it. 0, or -1 where that cannot be. */
int apply(struct setting **settings, const char *line)
{
    const char *equals = strchr(line, '=');
    if (equals == NULL)
        return -1;
    size_t length = (size_t)(equals - line);
    if (length == 0 || length > sizeof (*settings)->name)
        return -1;

    struct setting *found = *settings;
    while (found != NULL && (strncmp(found->name, line, length) != 0 || found->name[length] != '\0'))
        found = found->next;

    if (found == NULL) {
        found = malloc(sizeof *found);
        if (found == NULL)
            return -1;
        memcpy(found->name, line, length);
        found->name[length] = '\0';
        found->next = *settings;
        *settings = found;
    } else if (!may_change(found->name)) {
        return -1;
    }
    found->value = atoi(equals + 1);
    return 0;
}
