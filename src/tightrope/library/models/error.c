/* Models of <error.h>: what they print goes nowhere; with a status, they end the program. */

#include <stdlib.h>

void tightrope_model_error(int status, int number, const char *format, ...)
{
    (void)number, (void)format;
    if (status != 0) exit(status);
}

void tightrope_model_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    (void)number, (void)file, (void)line, (void)format;
    if (status != 0) exit(status);
}
