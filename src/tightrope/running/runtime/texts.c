/* Real numbers as texts, for the models: the machine's library prints and reads them, and what it is given stays as
 * it is in this run. Called by library/models through weave_library.py, which has told the place. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

/* Each byte is kept as in this run. */
static void pin_bytes(const void *at, u64 bytes)
{
    for (u64 i = 0; i < bytes; i++)
        pin(shadow_load((uintptr_t)at + i, 8, SORT_BITS, tr_control->place), ((const u8 *)at)[i], tr_control->place);
}

enum { PRINT_LONG_DOUBLE = 32 }; /* the flags below it in the order of `letters`; see libc/stdio.c */

static void write_format(char *to, int flags, int letter)
{
    static const char letters[] = "-+ #0";
    *to++ = '%';
    for (int i = 0; i < 5; i++)
        if (flags & 1 << i) *to++ = letters[i];
    memcpy(to, "*.*", 3);
    to += 3;
    if (flags & PRINT_LONG_DOUBLE) *to++ = 'L';
    *to++ = (char)letter;
    *to = 0;
}

int tightrope_print_real(char *to, u64 size, int flags, int width, int precision, int letter, const void *value)
{
    char format[16];
    long double wide = 0;
    double number = 0;
    write_format(format, flags, letter);
    shadow_clear((uintptr_t)to, size);
    if (flags & PRINT_LONG_DOUBLE) {
        memcpy(&wide, value, sizeof wide);
        return snprintf(to, size, format, width, precision, wide);
    }
    pin_bytes(value, sizeof number);
    memcpy(&number, value, sizeof number);
    return snprintf(to, size, format, width, precision, number);
}

int tightrope_native_vsnprintf(char *to, u64 size, const char *format, va_list arguments)
{
    return vsnprintf(to, size, format, arguments);
}

/* The text ends at `length`; `used`: how many characters of it are the number. */
double tightrope_read_double(const char *text, u64 length, u64 *used)
{
    pin_bytes(text, length);
    char *copy = strndup(text, length), *end = copy;
    double value = copy ? strtod(copy, &end) : 0;
    *used = (u64)(end - copy);
    shadow_clear((uintptr_t)used, sizeof *used);
    free(copy);
    return value;
}

float tightrope_read_float(const char *text, u64 length, u64 *used)
{
    pin_bytes(text, length);
    char *copy = strndup(text, length), *end = copy;
    float value = copy ? strtof(copy, &end) : 0;
    *used = (u64)(end - copy);
    shadow_clear((uintptr_t)used, sizeof *used);
    free(copy);
    return value;
}
