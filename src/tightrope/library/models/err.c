/* Models of <err.h>: what they print goes nowhere, then they end the program. */

#include <stdarg.h>
#include <stdlib.h>

void tightrope_model_err(int status, const char *format, ...)
{
    (void)format;
    exit(status);
}

void tightrope_model_errx(int status, const char *format, ...)
{
    (void)format;
    exit(status);
}

void tightrope_model_verr(int status, const char *format, va_list arguments)
{
    (void)format, (void)arguments;
    exit(status);
}

void tightrope_model_verrx(int status, const char *format, va_list arguments)
{
    (void)format, (void)arguments;
    exit(status);
}
