/* Models of <string.h>: byte loops, one branch per symbolic byte at most.
 *
 * `&` and `|` join tests that would each be a branch with `&&` and `||`. A function that must not
 * read further than an answer keeps its branch; memcmp may read all its bytes and has none. */

#include <stddef.h>

typedef unsigned char byte;

void *tightrope_malloc(unsigned long size);

void *tightrope_model_memcpy(void *restrict to, const void *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++) ((byte *)to)[i] = ((const byte *)from)[i];
    return to;
}

void *tightrope_model_mempcpy(void *restrict to, const void *restrict from, size_t count)
{
    return (byte *)tightrope_model_memcpy(to, from, count) + count;
}

void *tightrope_model_memmove(void *to, const void *from, size_t count)
{
    if ((size_t)to - (size_t)from >= count) {
        for (size_t i = 0; i < count; i++) ((byte *)to)[i] = ((const byte *)from)[i];
    } else {
        for (size_t i = count; i > 0; i--) ((byte *)to)[i - 1] = ((const byte *)from)[i - 1];
    }
    return to;
}

void *tightrope_model_memset(void *to, int value, size_t count)
{
    for (size_t i = 0; i < count; i++) ((byte *)to)[i] = (byte)value;
    return to;
}

void *tightrope_model_memccpy(void *restrict to, const void *restrict from, int last, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        byte copied = ((const byte *)from)[i];
        ((byte *)to)[i] = copied;
        if (copied == (byte)last) return (byte *)to + i + 1;
    }
    return NULL;
}

/* The difference of the first bytes that differ: later bytes are looked at first, so that earlier
 * ones overrule them. `mask` is all ones where the bytes differ. */
int tightrope_model_memcmp(const void *left, const void *right, size_t count)
{
    int result = 0;
    for (size_t i = count; i > 0; i--) {
        int difference = ((const byte *)left)[i - 1] - ((const byte *)right)[i - 1];
        int mask = -(difference != 0);
        result = difference | (result & ~mask);
    }
    return result;
}

void *tightrope_model_memchr(const void *in, int wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (((const byte *)in)[i] == (byte)wanted) return (byte *)in + i;
    return NULL;
}

void *tightrope_model_memrchr(const void *in, int wanted, size_t count)
{
    for (size_t i = count; i > 0; i--)
        if (((const byte *)in)[i - 1] == (byte)wanted) return (byte *)in + i - 1;
    return NULL;
}

size_t tightrope_model_strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0') length++;
    return length;
}

size_t tightrope_model_strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != '\0') length++;
    return length;
}

char *tightrope_model_stpcpy(char *restrict to, const char *restrict from)
{
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}

char *tightrope_model_strcpy(char *restrict to, const char *restrict from)
{
    tightrope_model_stpcpy(to, from);
    return to;
}

char *tightrope_model_stpncpy(char *restrict to, const char *restrict from, size_t count)
{
    size_t length = 0;
    while (length < count && from[length] != '\0') {
        to[length] = from[length];
        length++;
    }
    for (size_t i = length; i < count; i++) to[i] = '\0';
    return to + length;
}

char *tightrope_model_strncpy(char *restrict to, const char *restrict from, size_t count)
{
    tightrope_model_stpncpy(to, from, count);
    return to;
}

char *tightrope_model_strcat(char *restrict to, const char *restrict from)
{
    tightrope_model_stpcpy(to + tightrope_model_strlen(to), from);
    return to;
}

char *tightrope_model_strncat(char *restrict to, const char *restrict from, size_t most)
{
    char *end = to + tightrope_model_strlen(to);
    while (most-- > 0 && *from != '\0') *end++ = *from++;
    *end = '\0';
    return to;
}

int tightrope_model_strcmp(const char *left, const char *right)
{
    while ((*left == *right) & (*left != '\0')) {
        left++;
        right++;
    }
    return (byte)*left - (byte)*right;
}

int tightrope_model_strncmp(const char *left, const char *right, size_t most)
{
    for (size_t i = 0; i < most; i++)
        if ((left[i] != right[i]) | (left[i] == '\0')) return (byte)left[i] - (byte)right[i];
    return 0;
}

int tightrope_model_strcoll(const char *left, const char *right) { return tightrope_model_strcmp(left, right); }

char *tightrope_model_strchrnul(const char *text, int wanted)
{
    while ((*text != (char)wanted) & (*text != '\0')) text++;
    return (char *)text;
}

char *tightrope_model_strchr(const char *text, int wanted)
{
    char *found = tightrope_model_strchrnul(text, wanted);
    return *found == (char)wanted ? found : NULL;
}

char *tightrope_model_strrchr(const char *text, int wanted)
{
    const char *found = NULL;
    do {
        if (*text == (char)wanted) found = text;
    } while (*text++ != '\0');
    return (char *)found;
}

/* 1 if `text` begins with `start`. */
static int begins_with(const char *text, const char *start)
{
    for (; *start != '\0'; text++, start++)
        if (*text != *start) return 0;
    return 1;
}

char *tightrope_model_strstr(const char *text, const char *wanted)
{
    for (;; text++) {
        if (begins_with(text, wanted)) return (char *)text;
        if (*text == '\0') return NULL;
    }
}

/* 1 if `c` is one of the characters of `set` (its end is none of them); no branch on `c`. */
static int is_one_of(char c, const char *set)
{
    int found = 0;
    for (; *set != '\0'; set++) found |= *set == c;
    return found;
}

size_t tightrope_model_strspn(const char *text, const char *accepted)
{
    size_t length = 0;
    while (is_one_of(text[length], accepted)) length++;
    return length;
}

size_t tightrope_model_strcspn(const char *text, const char *rejected)
{
    size_t length = 0;
    while (!(is_one_of(text[length], rejected) | (text[length] == '\0'))) length++;
    return length;
}

char *tightrope_model_strpbrk(const char *text, const char *accepted)
{
    text += tightrope_model_strcspn(text, accepted);
    return *text != '\0' ? (char *)text : NULL;
}

char *tightrope_model_strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    if (text == NULL) text = *rest;
    text += tightrope_model_strspn(text, separators);
    if (*text == '\0') {
        *rest = text;
        return NULL;
    }
    char *end = text + tightrope_model_strcspn(text, separators);
    if (*end != '\0') *end++ = '\0';
    *rest = end;
    return text;
}

char *tightrope_model_strtok(char *restrict text, const char *restrict separators)
{
    static char *rest;
    return tightrope_model_strtok_r(text, separators, &rest);
}

char *tightrope_model_strsep(char **restrict place, const char *restrict separators)
{
    char *text = *place;
    if (text == NULL) return NULL;
    char *end = text + tightrope_model_strcspn(text, separators);
    *place = *end != '\0' ? end + 1 : NULL;
    *end = '\0';
    return text;
}

char *tightrope_model_strndup(const char *text, size_t most)
{
    size_t length = tightrope_model_strnlen(text, most);
    char *copy = tightrope_malloc(length + 1);
    if (copy == NULL) return NULL;
    tightrope_model_memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *tightrope_model_strdup(const char *text)
{
    char *copy = tightrope_malloc(tightrope_model_strlen(text) + 1);
    return copy != NULL ? tightrope_model_strcpy(copy, text) : NULL;
}
