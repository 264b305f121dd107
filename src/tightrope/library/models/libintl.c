/* Models of <libintl.h> where no messages are translated, as in the C locale. */

#include <stddef.h>

char *tightrope_model_gettext(const char *message) { return (char *)message; }

char *tightrope_model_dgettext(const char *domain, const char *message)
{
    (void)domain;
    return (char *)message;
}

char *tightrope_model_dcgettext(const char *domain, const char *message, int category)
{
    (void)domain, (void)category;
    return (char *)message;
}

char *tightrope_model_ngettext(const char *one, const char *many, unsigned long count)
{
    return (char *)(count == 1 ? one : many);
}

char *tightrope_model_dngettext(const char *domain, const char *one, const char *many, unsigned long count)
{
    (void)domain;
    return tightrope_model_ngettext(one, many, count);
}

char *tightrope_model_dcngettext(const char *domain, const char *one, const char *many, unsigned long count,
                                 int category)
{
    (void)domain, (void)category;
    return tightrope_model_ngettext(one, many, count);
}
