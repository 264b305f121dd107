/* What _FORTIFY_SOURCE turns functions of <string.h> and <stdio.h> into. `room` is what the compiler knows of the
 * buffer; more than that ends the program. */

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

void *tightrope_model_memcpy(void *restrict to, const void *restrict from, size_t count);
void *tightrope_model_mempcpy(void *restrict to, const void *restrict from, size_t count);
void *tightrope_model_memmove(void *to, const void *from, size_t count);
void *tightrope_model_memset(void *to, int value, size_t count);
size_t tightrope_model_strlen(const char *text);
size_t tightrope_model_strnlen(const char *text, size_t most);
char *tightrope_model_stpcpy(char *restrict to, const char *restrict from);
char *tightrope_model_stpncpy(char *restrict to, const char *restrict from, size_t count);
char *tightrope_model_strncat(char *restrict to, const char *restrict from, size_t most);
int tightrope_model_vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments);

static void check(size_t needed, size_t room)
{
    if (needed > room) abort();
}

void *tightrope_model___memcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room)
{
    check(count, room);
    return tightrope_model_memcpy(to, from, count);
}

void *tightrope_model___mempcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room)
{
    check(count, room);
    return tightrope_model_mempcpy(to, from, count);
}

void *tightrope_model___memmove_chk(void *to, const void *from, size_t count, size_t room)
{
    check(count, room);
    return tightrope_model_memmove(to, from, count);
}

void *tightrope_model___memset_chk(void *to, int value, size_t count, size_t room)
{
    check(count, room);
    return tightrope_model_memset(to, value, count);
}

char *tightrope_model___stpcpy_chk(char *restrict to, const char *restrict from, size_t room)
{
    check(tightrope_model_strlen(from) + 1, room);
    return tightrope_model_stpcpy(to, from);
}

char *tightrope_model___strcpy_chk(char *restrict to, const char *restrict from, size_t room)
{
    tightrope_model___stpcpy_chk(to, from, room);
    return to;
}

char *tightrope_model___stpncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room)
{
    check(count, room);
    return tightrope_model_stpncpy(to, from, count);
}

char *tightrope_model___strncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room)
{
    tightrope_model___stpncpy_chk(to, from, count, room);
    return to;
}

char *tightrope_model___strcat_chk(char *restrict to, const char *restrict from, size_t room)
{
    size_t start = tightrope_model_strlen(to);
    check(start + tightrope_model_strlen(from) + 1, room);
    tightrope_model_stpcpy(to + start, from);
    return to;
}

char *tightrope_model___strncat_chk(char *restrict to, const char *restrict from, size_t most, size_t room)
{
    check(tightrope_model_strlen(to) + tightrope_model_strnlen(from, most) + 1, room);
    return tightrope_model_strncat(to, from, most);
}

int tightrope_model___vsnprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict format,
                                    va_list arguments)
{
    (void)flag;
    check(size, room);
    return tightrope_model_vsnprintf(to, size, format, arguments);
}

int tightrope_model___snprintf_chk(char *restrict to, size_t size, int flag, size_t room, const char *restrict format,
                                   ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model___vsnprintf_chk(to, size, flag, room, format, arguments);
    va_end(arguments);
    return length;
}

int tightrope_model___vsprintf_chk(char *restrict to, int flag, size_t room, const char *restrict format,
                                   va_list arguments)
{
    (void)flag;
    int length = tightrope_model_vsnprintf(to, room, format, arguments);
    check(length < 0 ? 0 : (size_t)length + 1, room);
    return length;
}

int tightrope_model___sprintf_chk(char *restrict to, int flag, size_t room, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model___vsprintf_chk(to, flag, room, format, arguments);
    va_end(arguments);
    return length;
}
