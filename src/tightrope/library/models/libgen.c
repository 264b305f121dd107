/* Models of <libgen.h>, and of the basename of <string.h>. */

#include <stddef.h>

char *tightrope_model_strrchr(const char *text, int wanted);
size_t tightrope_model_strlen(const char *text);

/* That of <string.h>: what stands behind the last slash. */
char *tightrope_model_basename(const char *path)
{
    char *slash = tightrope_model_strrchr(path, '/');
    return slash != NULL ? slash + 1 : (char *)path;
}

/* The length without slashes at the end; the first character stays. */
static size_t trimmed(const char *path, size_t length)
{
    while (length > 1 && path[length - 1] == '/') length--;
    return length;
}

/* Where the last part of the path begins. */
static size_t last_part(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/') length--;
    return length;
}

/* That of <libgen.h>. */
char *tightrope_model___xpg_basename(char *path)
{
    if (path == NULL || *path == '\0') return (char *)".";
    size_t whole = tightrope_model_strlen(path), length = trimmed(path, whole), start = last_part(path, length);
    if (start == length) return path + whole - 1; /* nothing but slashes */
    if (path[length] != '\0') path[length] = '\0';
    return path + start;
}

char *tightrope_model_dirname(char *path)
{
    if (path == NULL || *path == '\0') return (char *)".";
    size_t start = last_part(path, trimmed(path, tightrope_model_strlen(path)));
    if (start == 0) return (char *)(*path == '/' ? "/" : ".");
    size_t length = trimmed(path, start);
    if (length == 1 && path[0] == '/' && path[1] == '/' &&
        path[2] != '/') /* exactly two slashes may mean something else */
        length = 2;
    path[length] = '\0';
    return path;
}
