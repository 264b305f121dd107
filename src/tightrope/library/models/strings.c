/* Models of <strings.h> in the C locale. */

#include <stddef.h>

int tightrope_model_memcmp(const void *left, const void *right, size_t count);
void *tightrope_model_memmove(void *to, const void *from, size_t count);
void *tightrope_model_memset(void *to, int value, size_t count);
char *tightrope_model_strchr(const char *text, int wanted);
char *tightrope_model_strrchr(const char *text, int wanted);

/* A byte with capital letters made small; no branch. */
static int small(char c)
{
    unsigned code = (unsigned char)c;
    return (int)(code + ((unsigned)(code - 'A' <= 'Z' - 'A') << 5));
}

int tightrope_model_strcasecmp(const char *left, const char *right)
{
    while ((small(*left) == small(*right)) & (*left != '\0')) {
        left++;
        right++;
    }
    return small(*left) - small(*right);
}

int tightrope_model_strncasecmp(const char *left, const char *right, size_t most)
{
    for (size_t i = 0; i < most; i++)
        if ((small(left[i]) != small(right[i])) | (left[i] == '\0')) return small(left[i]) - small(right[i]);
    return 0;
}

int tightrope_model_bcmp(const void *left, const void *right, size_t count)
{
    return tightrope_model_memcmp(left, right, count);
}

void tightrope_model_bcopy(const void *from, void *to, size_t count) { tightrope_model_memmove(to, from, count); }

void tightrope_model_bzero(void *to, size_t count) { tightrope_model_memset(to, 0, count); }

char *tightrope_model_index(const char *text, int wanted) { return tightrope_model_strchr(text, wanted); }

char *tightrope_model_rindex(const char *text, int wanted) { return tightrope_model_strrchr(text, wanted); }

int tightrope_model_ffs(int value) { return __builtin_ffs(value); }

int tightrope_model_ffsl(long value) { return __builtin_ffsl(value); }

int tightrope_model_ffsll(long long value) { return __builtin_ffsll(value); }
