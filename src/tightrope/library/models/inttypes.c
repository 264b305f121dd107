/* Models of <inttypes.h>: the largest integers are long ones. */

#include <inttypes.h>

long tightrope_model_labs(long value);
long tightrope_model_strtol(const char *restrict text, char **restrict end, int base);
unsigned long tightrope_model_strtoul(const char *restrict text, char **restrict end, int base);
long tightrope_model___isoc23_strtol(const char *restrict text, char **restrict end, int base);
unsigned long tightrope_model___isoc23_strtoul(const char *restrict text, char **restrict end, int base);

intmax_t tightrope_model_imaxabs(intmax_t value) { return tightrope_model_labs(value); }

imaxdiv_t tightrope_model_imaxdiv(intmax_t left, intmax_t right) { return (imaxdiv_t){left / right, left % right}; }

intmax_t tightrope_model_strtoimax(const char *restrict text, char **restrict end, int base)
{
    return tightrope_model_strtol(text, end, base);
}

uintmax_t tightrope_model_strtoumax(const char *restrict text, char **restrict end, int base)
{
    return tightrope_model_strtoul(text, end, base);
}

intmax_t tightrope_model___isoc23_strtoimax(const char *restrict text, char **restrict end, int base)
{
    return tightrope_model___isoc23_strtol(text, end, base);
}

uintmax_t tightrope_model___isoc23_strtoumax(const char *restrict text, char **restrict end, int base)
{
    return tightrope_model___isoc23_strtoul(text, end, base);
}
