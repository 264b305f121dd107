/* Models of <wchar.h>: texts of wide characters, and bytes as wide characters in the C locale. */

#include <stddef.h>

typedef unsigned code; /* a wide character is compared as a signed number, and classified as an unsigned one */

void *tightrope_malloc(unsigned long size);
int *tightrope_model___errno_location(void);

enum { NO_CHARACTER = 84 }; /* EILSEQ of Linux */

size_t tightrope_model_wcslen(const wchar_t *text)
{
    size_t length = 0;
    while (text[length] != 0) length++;
    return length;
}

size_t tightrope_model_wcsnlen(const wchar_t *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != 0) length++;
    return length;
}

wchar_t *tightrope_model_wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = from[i];
    return to;
}

wchar_t *tightrope_model_wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    if ((size_t)to - (size_t)from >= count * sizeof *to) return tightrope_model_wmemcpy(to, from, count);
    for (size_t i = count; i > 0; i--) to[i - 1] = from[i - 1];
    return to;
}

wchar_t *tightrope_model_wmemset(wchar_t *to, wchar_t value, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = value;
    return to;
}

static int order(wchar_t left, wchar_t right) { return (left > right) - (left < right); }

int tightrope_model_wmemcmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (left[i] != right[i]) return order(left[i], right[i]);
    return 0;
}

wchar_t *tightrope_model_wmemchr(const wchar_t *in, wchar_t wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (in[i] == wanted) return (wchar_t *)in + i;
    return NULL;
}

wchar_t *tightrope_model_wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    wchar_t *at = to;
    while ((*at++ = *from++) != 0);
    return to;
}

wchar_t *tightrope_model_wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    size_t length = tightrope_model_wcsnlen(from, count);
    tightrope_model_wmemcpy(to, from, length);
    tightrope_model_wmemset(to + length, 0, count - length);
    return to;
}

wchar_t *tightrope_model_wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    tightrope_model_wcscpy(to + tightrope_model_wcslen(to), from);
    return to;
}

wchar_t *tightrope_model_wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t most)
{
    size_t length = tightrope_model_wcsnlen(from, most);
    wchar_t *end = to + tightrope_model_wcslen(to);
    tightrope_model_wmemcpy(end, from, length);
    end[length] = 0;
    return to;
}

int tightrope_model_wcscmp(const wchar_t *left, const wchar_t *right)
{
    while ((*left == *right) & (*left != 0)) {
        left++;
        right++;
    }
    return order(*left, *right);
}

int tightrope_model_wcsncmp(const wchar_t *left, const wchar_t *right, size_t most)
{
    for (size_t i = 0; i < most; i++)
        if ((left[i] != right[i]) | (left[i] == 0)) return order(left[i], right[i]);
    return 0;
}

int tightrope_model_wcscoll(const wchar_t *left, const wchar_t *right) { return tightrope_model_wcscmp(left, right); }

wchar_t *tightrope_model_wcschr(const wchar_t *text, wchar_t wanted)
{
    while ((*text != wanted) & (*text != 0)) text++;
    return *text == wanted ? (wchar_t *)text : NULL;
}

wchar_t *tightrope_model_wcsrchr(const wchar_t *text, wchar_t wanted)
{
    const wchar_t *found = NULL;
    do {
        if (*text == wanted) found = text;
    } while (*text++ != 0);
    return (wchar_t *)found;
}

static int begins_with(const wchar_t *text, const wchar_t *start)
{
    for (; *start != 0; text++, start++)
        if (*text != *start) return 0;
    return 1;
}

wchar_t *tightrope_model_wcsstr(const wchar_t *text, const wchar_t *wanted)
{
    for (;; text++) {
        if (begins_with(text, wanted)) return (wchar_t *)text;
        if (*text == 0) return NULL;
    }
}

static int is_one_of(wchar_t c, const wchar_t *set)
{
    int found = 0;
    for (; *set != 0; set++) found |= *set == c;
    return found;
}

size_t tightrope_model_wcsspn(const wchar_t *text, const wchar_t *accepted)
{
    size_t length = 0;
    while (is_one_of(text[length], accepted)) length++;
    return length;
}

size_t tightrope_model_wcscspn(const wchar_t *text, const wchar_t *rejected)
{
    size_t length = 0;
    while (!(is_one_of(text[length], rejected) | (text[length] == 0))) length++;
    return length;
}

wchar_t *tightrope_model_wcspbrk(const wchar_t *text, const wchar_t *accepted)
{
    text += tightrope_model_wcscspn(text, accepted);
    return *text != 0 ? (wchar_t *)text : NULL;
}

wchar_t *tightrope_model_wcsdup(const wchar_t *text)
{
    wchar_t *copy = tightrope_malloc((tightrope_model_wcslen(text) + 1) * sizeof *copy);
    return copy != NULL ? tightrope_model_wcscpy(copy, text) : NULL;
}

/* ---- bytes and wide characters: the first 128 are the same, the others are none */

int tightrope_model_btowc(int c) { return (code)c < 128 ? c : -1; }

int tightrope_model_wctob(unsigned c) { return c < 128 ? (int)c : -1; }

static int refuse(void)
{
    *tightrope_model___errno_location() = NO_CHARACTER;
    return -1;
}

size_t tightrope_model___ctype_get_mb_cur_max(void) { return 1; }

int tightrope_model_mbsinit(const void *state)
{
    (void)state; /* no state: every character is one byte */
    return 1;
}

size_t tightrope_model_mbrtowc(wchar_t *restrict to, const char *restrict from, size_t count, void *restrict state)
{
    (void)state;
    if (from == NULL) return 0;
    if (count == 0) return (size_t)-2;
    if ((unsigned char)*from > 127) return (size_t)refuse();
    if (to != NULL) *to = (unsigned char)*from;
    return *from != '\0';
}

size_t tightrope_model_mbrlen(const char *restrict from, size_t count, void *restrict state)
{
    return tightrope_model_mbrtowc(NULL, from, count, state);
}

int tightrope_model_mbtowc(wchar_t *restrict to, const char *restrict from, size_t count)
{
    size_t length = tightrope_model_mbrtowc(to, from, from != NULL && *from == '\0' ? 1 : count, NULL);
    return length == (size_t)-2 ? -1 : (int)length;
}

int tightrope_model_mblen(const char *from, size_t count) { return tightrope_model_mbtowc(NULL, from, count); }

size_t tightrope_model_wcrtomb(char *restrict to, wchar_t c, void *restrict state)
{
    (void)state;
    if (to == NULL) return 1;
    if ((code)c > 127) return (size_t)refuse();
    *to = (char)c;
    return 1;
}

int tightrope_model_wctomb(char *to, wchar_t c) { return to == NULL ? 0 : (int)tightrope_model_wcrtomb(to, c, NULL); }

/* Without `to` only the length is wanted, whatever `most` is. */
size_t tightrope_model_mbstowcs(wchar_t *restrict to, const char *restrict from, size_t most)
{
    size_t length = 0;
    for (; to == NULL || length < most; length++) {
        if ((unsigned char)from[length] > 127) return (size_t)refuse();
        if (to != NULL) to[length] = from[length];
        if (from[length] == '\0') break;
    }
    return length;
}

size_t tightrope_model_wcstombs(char *restrict to, const wchar_t *restrict from, size_t most)
{
    size_t length = 0;
    for (; to == NULL || length < most; length++) {
        if ((code)from[length] > 127) return (size_t)refuse();
        if (to != NULL) to[length] = (char)from[length];
        if (from[length] == 0) break;
    }
    return length;
}
