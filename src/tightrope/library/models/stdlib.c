/* Models of the parts of <stdlib.h> that compute: absolute values, divisions, numbers from text,
 * searching and sorting. The heap and the end of the program belong to the runtime. */

#include <limits.h>
#include <stddef.h>

enum { NUMBER_OUT_OF_RANGE = 34, INVALID_ARGUMENT = 22 }; /* ERANGE and EINVAL of Linux */

int *tightrope_model___errno_location(void);

int tightrope_model_abs(int value)
{
    int sign = value >> (sizeof value * CHAR_BIT - 1);
    return (value ^ sign) - sign;
}

long tightrope_model_labs(long value)
{
    long sign = value >> (sizeof value * CHAR_BIT - 1);
    return (value ^ sign) - sign;
}

long long tightrope_model_llabs(long long value) { return tightrope_model_labs(value); }

struct quotient {
    int quotient, remainder;
};
struct long_quotient {
    long quotient, remainder;
};
struct long_long_quotient {
    long long quotient, remainder;
};

struct quotient tightrope_model_div(int left, int right) { return (struct quotient){left / right, left % right}; }

struct long_quotient tightrope_model_ldiv(long left, long right)
{
    return (struct long_quotient){left / right, left % right};
}

struct long_long_quotient tightrope_model_lldiv(long long left, long long right)
{
    return (struct long_long_quotient){left / right, left % right};
}

#define BETWEEN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))

/* The value of a digit of any base, or something above 36; no branch. */
static unsigned digit_value(char c)
{
    unsigned code = (unsigned char)c;
    unsigned decimal = -(unsigned)BETWEEN(code, '0', '9');
    unsigned letter = -(unsigned)BETWEEN(code | 32, 'a', 'z');
    return ((code - '0') & decimal) | (((code | 32) - 'a' + 10) & letter) | (~(decimal | letter) & 255);
}

/* What stands before the digits: blanks, a sign, a prefix that tells the base. */
struct opening {
    const char *digits;
    int is_negative;
    unsigned base;
};

static const char *after_blanks(const char *text)
{
    while (BETWEEN(*text, '\t', '\r') | (*text == ' ')) text++;
    return text;
}

/* A prefix counts only if a digit of its base follows: in "0x" the 0 is the number. */
static int has_prefix(const char *text, char letter, unsigned base)
{
    return text[0] == '0' && (text[1] | 32) == letter && digit_value(text[2]) < base;
}

static struct opening read_opening(const char *text, int base, int knows_binary)
{
    struct opening opening = {after_blanks(text), 0, (unsigned)base};
    if (*opening.digits == '-' || *opening.digits == '+') opening.is_negative = *opening.digits++ == '-';
    if ((base == 0 || base == 16) && has_prefix(opening.digits, 'x', 16)) {
        opening.base = 16;
        opening.digits += 2;
    } else if (knows_binary && (base == 0 || base == 2) && has_prefix(opening.digits, 'b', 2)) {
        opening.base = 2;
        opening.digits += 2;
    } else if (base == 0) {
        opening.base = *opening.digits == '0' ? 8 : 10;
    }
    return opening;
}

/* A magnitude, where it ended, and whether it was too large for an unsigned long. Up to twelve
 * digits never are (36 to the 12th is below 2 to the 63rd), so that short texts need no test. */
struct magnitude {
    unsigned long value;
    const char *end;
    int is_too_large;
};

static struct magnitude read_magnitude(const char *digits, unsigned base)
{
    struct magnitude read = {0, digits, 0};
    unsigned long most = ULONG_MAX / base, last = ULONG_MAX % base;
    for (unsigned digit; (digit = digit_value(*read.end)) < base; read.end++) {
        if (read.end - digits >= 12) read.is_too_large |= (read.value > most) | ((read.value == most) & (digit > last));
        read.value = read.value * base + digit;
    }
    return read;
}

static unsigned long fail(int error, unsigned long result)
{
    *tightrope_model___errno_location() = error;
    return result;
}

static struct magnitude read_number(const char *text, char **end, int base, int knows_binary, int *is_negative)
{
    struct opening opening = read_opening(text, base, knows_binary);
    struct magnitude read = read_magnitude(opening.digits, opening.base);
    *is_negative = opening.is_negative;
    if (end != NULL) *end = (char *)(read.end == opening.digits ? text : read.end);
    return read;
}

/* glibc leaves *end alone when the base is invalid. */
static int is_base(int base) { return base == 0 || (base >= 2 && base <= 36); }

static long signed_number(const char *text, char **end, int base, int knows_binary)
{
    if (!is_base(base)) return (long)fail(INVALID_ARGUMENT, 0);
    int is_negative;
    struct magnitude read = read_number(text, end, base, knows_binary, &is_negative);
    unsigned long limit = (unsigned long)LONG_MAX + (unsigned long)is_negative;
    if (read.end - text > 12 && (read.is_too_large | (read.value > limit)))
        return (long)fail(NUMBER_OUT_OF_RANGE, limit);
    return (long)(is_negative ? -read.value : read.value);
}

static unsigned long unsigned_number(const char *text, char **end, int base, int knows_binary)
{
    if (!is_base(base)) return fail(INVALID_ARGUMENT, 0);
    int is_negative;
    struct magnitude read = read_number(text, end, base, knows_binary, &is_negative);
    if (read.is_too_large) return fail(NUMBER_OUT_OF_RANGE, ULONG_MAX);
    return is_negative ? -read.value : read.value;
}

long tightrope_model_strtol(const char *restrict text, char **restrict end, int base)
{
    return signed_number(text, end, base, 0);
}

long long tightrope_model_strtoll(const char *restrict text, char **restrict end, int base)
{
    return signed_number(text, end, base, 0);
}

unsigned long tightrope_model_strtoul(const char *restrict text, char **restrict end, int base)
{
    return unsigned_number(text, end, base, 0);
}

unsigned long long tightrope_model_strtoull(const char *restrict text, char **restrict end, int base)
{
    return unsigned_number(text, end, base, 0);
}

/* What glibc 2.38 and later turn the four into for C23, which knows binary numbers. */

long tightrope_model___isoc23_strtol(const char *restrict text, char **restrict end, int base)
{
    return signed_number(text, end, base, 1);
}

long long tightrope_model___isoc23_strtoll(const char *restrict text, char **restrict end, int base)
{
    return signed_number(text, end, base, 1);
}

unsigned long tightrope_model___isoc23_strtoul(const char *restrict text, char **restrict end, int base)
{
    return unsigned_number(text, end, base, 1);
}

unsigned long long tightrope_model___isoc23_strtoull(const char *restrict text, char **restrict end, int base)
{
    return unsigned_number(text, end, base, 1);
}

int tightrope_model_atoi(const char *text) { return (int)signed_number(text, NULL, 10, 0); }

long tightrope_model_atol(const char *text) { return signed_number(text, NULL, 10, 0); }

long long tightrope_model_atoll(const char *text) { return signed_number(text, NULL, 10, 0); }

void *tightrope_model_bsearch(const void *key, const void *base, size_t count, size_t size,
                              int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return NULL;
}

static void swap(char *left, char *right, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char kept = left[i];
        left[i] = right[i];
        right[i] = kept;
    }
}

/* Insertion sort: stable, so that equal elements end where glibc's merge sort puts them. */
void tightrope_model_qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
                             void *context)
{
    char *elements = base;
    for (size_t i = 1; i < count; i++) {
        char *element = elements + i * size;
        for (; element > elements && compare(element - size, element, context) > 0; element -= size)
            swap(element - size, element, size);
    }
}

void tightrope_model_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *elements = base;
    for (size_t i = 1; i < count; i++) {
        char *element = elements + i * size;
        for (; element > elements && compare(element - size, element) > 0; element -= size)
            swap(element - size, element, size);
    }
}
