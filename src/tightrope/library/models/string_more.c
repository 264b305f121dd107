/* Models of what <string.h> has beyond the C standard, in the C locale. */

#include <stddef.h>

typedef unsigned char byte;

void *tightrope_model_memcpy(void *restrict to, const void *restrict from, size_t count);
void *tightrope_model_mempcpy(void *restrict to, const void *restrict from, size_t count);
int tightrope_model_memcmp(const void *left, const void *right, size_t count);
void *tightrope_model_memset(void *to, int value, size_t count);
size_t tightrope_model_strlen(const char *text);
size_t tightrope_model_strnlen(const char *text, size_t most);
char *tightrope_model_stpcpy(char *restrict to, const char *restrict from);
char *tightrope_model_strdup(const char *text);
char *tightrope_model_strndup(const char *text, size_t most);
char *tightrope_model_strtok_r(char *restrict text, const char *restrict separators, char **restrict rest);

void *tightrope_model_rawmemchr(const void *in, int wanted)
{
    const byte *at = in;
    while (*at != (byte)wanted) at++;
    return (void *)at;
}

void *tightrope_model_memmem(const void *in, size_t count, const void *wanted, size_t length)
{
    for (size_t i = 0; length <= count && i <= count - length; i++)
        if (tightrope_model_memcmp((const byte *)in + i, wanted, length) == 0) return (byte *)in + i;
    return NULL;
}

void tightrope_model_explicit_bzero(void *to, size_t count) { tightrope_model_memset(to, 0, count); }

void tightrope_model_swab(const void *restrict from, void *restrict to, long count)
{
    for (long i = 0; i + 1 < count; i += 2) {
        byte first = ((const byte *)from)[i];
        ((byte *)to)[i] = ((const byte *)from)[i + 1];
        ((byte *)to)[i + 1] = first;
    }
}

/* A byte with capital letters made small; no branch. */
static int small(char c)
{
    unsigned code = (byte)c;
    return (int)(code + ((unsigned)(code - 'A' <= 'Z' - 'A') << 5));
}

static int begins_with(const char *text, const char *start)
{
    for (; *start != '\0'; text++, start++)
        if (small(*text) != small(*start)) return 0;
    return 1;
}

char *tightrope_model_strcasestr(const char *text, const char *wanted)
{
    for (;; text++) {
        if (begins_with(text, wanted)) return (char *)text;
        if (*text == '\0') return NULL;
    }
}

size_t tightrope_model_strlcpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = tightrope_model_strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        tightrope_model_memcpy(to, from, copied);
        to[copied] = '\0';
    }
    return length;
}

size_t tightrope_model_strlcat(char *restrict to, const char *restrict from, size_t size)
{
    size_t start = tightrope_model_strnlen(to, size);
    return start + tightrope_model_strlcpy(to + start, from, size - start);
}

size_t tightrope_model_strxfrm(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = tightrope_model_strlen(from);
    tightrope_model_memcpy(to, from, length < size ? length + 1 : size);
    return length;
}

/* Other names of the library's for its own. */

void *tightrope_model___mempcpy(void *restrict to, const void *restrict from, size_t count)
{
    return tightrope_model_mempcpy(to, from, count);
}

char *tightrope_model___stpcpy(char *restrict to, const char *restrict from)
{
    return tightrope_model_stpcpy(to, from);
}

void *tightrope_model___rawmemchr(const void *in, int wanted) { return tightrope_model_rawmemchr(in, wanted); }

char *tightrope_model___strdup(const char *text) { return tightrope_model_strdup(text); }

char *tightrope_model___strndup(const char *text, size_t most) { return tightrope_model_strndup(text, most); }

char *tightrope_model___strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    return tightrope_model_strtok_r(text, separators, rest);
}
