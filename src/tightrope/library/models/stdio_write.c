/* Results of the functions of <stdio.h> that print, used where a caller reads them. Standard output and error accept
 * everything; the library writes to other streams. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

size_t tightrope_model_strlen(const char *text);
int tightrope_model_vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments);

static int is_standard(FILE *stream) { return stream == stdout || stream == stderr; }

int tightrope_model_vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments)
{
    if (!is_standard(stream)) return vfprintf(stream, format, arguments);
    return tightrope_model_vsnprintf(NULL, 0, format, arguments);
}

int tightrope_model_vprintf(const char *restrict format, va_list arguments)
{
    return tightrope_model_vsnprintf(NULL, 0, format, arguments);
}

int tightrope_model_fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model_vfprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int tightrope_model_printf(const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model_vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    return length;
}

int tightrope_model_puts(const char *text) { return (int)tightrope_model_strlen(text) + 1; }

int tightrope_model_fputs(const char *restrict text, FILE *restrict stream)
{
    return is_standard(stream) ? 1 : fputs(text, stream);
}

int tightrope_model_putchar(int c) { return (unsigned char)c; }

int tightrope_model_fputc(int c, FILE *stream) { return is_standard(stream) ? (unsigned char)c : fputc(c, stream); }

int tightrope_model_putc(int c, FILE *stream) { return is_standard(stream) ? (unsigned char)c : fputc(c, stream); }

size_t tightrope_model_fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    if (!is_standard(stream)) return fwrite(from, size, count, stream);
    return size == 0 ? 0 : count;
}

int tightrope_model_fflush(FILE *stream) { return stream == NULL || is_standard(stream) ? 0 : fflush(stream); }
