/* Models of the functions of <stdio.h> that print into memory: one engine, vsnprintf, in the C locale.
 *
 * A branch decides how many digits a number has and where a text ends, because the places of everything behind
 * depend on it; the characters themselves are expressions. Real numbers stay as they are in this run. */

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

size_t tightrope_model_strnlen(const char *text, size_t most);
int *tightrope_model___errno_location(void);
void *tightrope_malloc(unsigned long size);

/* Done by the runtime, which keeps what they are given as it is in this run. `value` is a double, or a long double. */
int tightrope_print_real(char *to, unsigned long size, int flags, int width, int precision, int letter,
                         const void *value);
int tightrope_native_vsnprintf(char *to, unsigned long size, const char *format, va_list arguments);

enum { TOO_LARGE = 75, NO_CHARACTER = 84 }; /* EOVERFLOW and EILSEQ of Linux */

struct output {
    char *to;
    size_t room, length;
};

/* What stands between `%` and the letter. The flags are those of runtime/texts.c. */
enum { LEFT = 1, PLUS = 2, BLANK = 4, ALTERNATE = 8, ZEROS = 16, LONG_DOUBLE = 32 };
struct conversion {
    int flags, width, precision;
    char size, letter;
};

static void put(struct output *out, char c)
{
    if (out->length + 1 < out->room) out->to[out->length] = c;
    out->length++;
}

static void fill(struct output *out, char c, long count)
{
    while (count-- > 0) put(out, c);
}

static void put_all(struct output *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) put(out, text[i]);
}

/* A piece of text in its field. */
static void put_field(struct output *out, const struct conversion *how, const char *text, size_t length)
{
    long padding = how->width - (long)length;
    if (!(how->flags & LEFT)) fill(out, ' ', padding);
    put_all(out, text, length);
    if (how->flags & LEFT) fill(out, ' ', padding);
}

/* ---- integers */

static const unsigned long powers_of_ten[] = {
    1ul,
    10ul,
    100ul,
    1000ul,
    10000ul,
    100000ul,
    1000000ul,
    10000000ul,
    100000000ul,
    1000000000ul,
    10000000000ul,
    100000000000ul,
    1000000000000ul,
    10000000000000ul,
    100000000000000ul,
    1000000000000000ul,
    10000000000000000ul,
    100000000000000000ul,
    1000000000000000000ul,
    10000000000000000000ul,
};

static int decimal_count(unsigned long value)
{
    int count = 1;
    while (count < 20 && value >= powers_of_ten[count]) count++;
    return count;
}

/* The digits, the highest first. A digit is counted out by comparisons: a division costs the solver much more. */
static void decimal_digits(char *to, int count, unsigned long value)
{
    for (int i = count - 1; i >= 0; i--) {
        unsigned digit = 0;
        for (unsigned long k = 1; k <= (i == 19 ? 1 : 9); k++) digit += value >= k * powers_of_ten[i];
        value -= digit * powers_of_ten[i];
        *to++ = (char)('0' + digit);
    }
}

static int binary_count(unsigned long value, int shift)
{
    int count = 1;
    while (count * shift < 64 && value >> (count * shift) != 0) count++;
    return count;
}

static void binary_digits(char *to, int count, unsigned long value, int shift, char letter_a)
{
    for (int i = count - 1; i >= 0; i--) {
        unsigned digit = (unsigned)(value >> (i * shift)) & ((1u << shift) - 1);
        *to++ = (char)('0' + digit + (unsigned)(letter_a - '0' - 10) * (digit > 9));
    }
}

/* Blanks, sign or prefix, zeros, digits, blanks. */
static void put_number(struct output *out, const struct conversion *how, const char *prefix, const char *digits,
                       int count)
{
    int prefix_length = (int)tightrope_model_strnlen(prefix, 2);
    int zeros = how->precision > count ? how->precision - count : 0;
    int padding = how->width - prefix_length - zeros - count;
    if (how->precision < 0 && (how->flags & ZEROS) && !(how->flags & LEFT) && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    if (!(how->flags & LEFT)) fill(out, ' ', padding);
    put_all(out, prefix, (size_t)prefix_length);
    fill(out, '0', zeros);
    put_all(out, digits, (size_t)count);
    if (how->flags & LEFT) fill(out, ' ', padding);
}

static void put_decimal(struct output *out, const struct conversion *how, unsigned long value, const char *sign)
{
    char digits[20];
    int count = how->precision == 0 && value == 0 ? 0 : decimal_count(value);
    decimal_digits(digits, count, value);
    put_number(out, how, sign, digits, count);
}

static void put_signed(struct output *out, const struct conversion *how, long value)
{
    if (value < 0)
        put_decimal(out, how, -(unsigned long)value, "-");
    else
        put_decimal(out, how, (unsigned long)value, how->flags & PLUS ? "+" : how->flags & BLANK ? " " : "");
}

/* `#` puts 0x before a number that is not zero, and makes the first octal digit a zero. */
static void put_binary(struct output *out, const struct conversion *how, unsigned long value)
{
    char digits[22];
    int shift = how->letter == 'o' ? 3 : 4;
    int is_zero = (how->precision == 0 || (how->flags & ALTERNATE)) && value == 0;
    int count = is_zero && how->precision == 0 ? 0 : binary_count(value, shift);
    struct conversion changed = *how;
    binary_digits(digits, count, value, shift, how->letter == 'X' ? 'A' : 'a');
    if (how->letter == 'o' && (how->flags & ALTERNATE) && how->precision <= count && !(is_zero && count)) {
        changed.precision = count + 1;
        if (how->precision < 0 && (how->flags & ZEROS) && !(how->flags & LEFT) && how->width > count)
            changed.precision = how->width;
    }
    if (how->letter == 'o' || !(how->flags & ALTERNATE) || is_zero)
        put_number(out, &changed, "", digits, count);
    else
        put_number(out, &changed, (char[3]){'0', how->letter, '\0'}, digits, count);
}

/* ---- texts and reals */

static void put_text(struct output *out, const struct conversion *how, const char *text)
{
    size_t most = how->precision < 0 ? SIZE_MAX : (size_t)how->precision;
    if (text == NULL)
        put_field(out, how, "(null)", most >= 6 ? 6 : 0);
    else
        put_field(out, how, text, tightrope_model_strnlen(text, most));
}

/* In the C locale a wide character is a byte or nothing. */
static int put_wide(struct output *out, const struct conversion *how, const int *text)
{
    size_t most = how->precision < 0 ? SIZE_MAX : (size_t)how->precision, length = 0;
    if (text == NULL) {
        put_field(out, how, "(null)", most >= 6 ? 6 : 0);
        return 1;
    }
    for (; length < most && text[length] != 0; length++)
        if ((unsigned)text[length] > 127) return 0;
    if (!(how->flags & LEFT)) fill(out, ' ', how->width - (long)length);
    for (size_t i = 0; i < length; i++) put(out, (char)text[i]);
    if (how->flags & LEFT) fill(out, ' ', how->width - (long)length);
    return 1;
}

static void put_real(struct output *out, const struct conversion *how, const void *value)
{
    char near[400], *text = near;
    int flags = how->flags | (how->size == 'L' ? LONG_DOUBLE : 0);
    int length = tightrope_print_real(near, sizeof near, flags, how->width, how->precision, how->letter, value);
    if (length >= (int)sizeof near) {
        text = tightrope_malloc((unsigned long)length + 1);
        tightrope_print_real(text, (unsigned long)length + 1, flags, how->width, how->precision, how->letter, value);
    }
    put_all(out, text, (size_t)length);
}

/* ---- the format */

static const char *read_flags(const char *at, struct conversion *how)
{
    for (;; at++) {
        switch (*at) {
        case '-':
            how->flags |= LEFT;
            break;
        case '+':
            how->flags |= PLUS;
            break;
        case ' ':
            how->flags |= BLANK;
            break;
        case '#':
            how->flags |= ALTERNATE;
            break;
        case '0':
            how->flags |= ZEROS;
            break;
        default:
            return at;
        }
    }
}

static const char *read_count(const char *at, int *count)
{
    for (*count = 0; *at >= '0' && *at <= '9'; at++) *count = *count * 10 + (*at - '0');
    return at;
}

/* hh is written H, ll and its other names q. */
static const char *read_size(const char *at, struct conversion *how)
{
    how->size = '\0';
    switch (*at) {
    case 'h':
        how->size = at[1] == 'h' ? 'H' : 'h';
        break;
    case 'l':
        how->size = at[1] == 'l' ? 'q' : 'l';
        break;
    case 'q':
    case 'j':
    case 'z':
    case 't':
    case 'L':
        how->size = *at;
        break;
    default:
        return at;
    }
    return at + 1 + (how->size == 'H' || (how->size == 'q' && *at == 'l'));
}

static long signed_argument(char size, va_list *arguments)
{
    switch (size) {
    case '\0':
        return va_arg(*arguments, int);
    case 'H':
        return (signed char)va_arg(*arguments, int);
    case 'h':
        return (short)va_arg(*arguments, int);
    default:
        return va_arg(*arguments, long);
    }
}

static unsigned long unsigned_argument(char size, va_list *arguments)
{
    switch (size) {
    case '\0':
        return va_arg(*arguments, unsigned);
    case 'H':
        return (unsigned char)va_arg(*arguments, unsigned);
    case 'h':
        return (unsigned short)va_arg(*arguments, unsigned);
    default:
        return va_arg(*arguments, unsigned long);
    }
}

static int put_character(struct output *out, const struct conversion *how, va_list *arguments)
{
    struct conversion plain = *how;
    int code = va_arg(*arguments, int), wide[2] = {code, 0};
    char c = (char)code;
    plain.precision = -1;
    if (how->size == 'l' && code != 0) return put_wide(out, &plain, wide);
    put_field(out, &plain, &c, 1);
    return 1;
}

static void store_count(char size, void *to, size_t length)
{
    switch (size) {
    case '\0':
        *(int *)to = (int)length;
        break;
    case 'H':
        *(signed char *)to = (signed char)length;
        break;
    case 'h':
        *(short *)to = (short)length;
        break;
    default:
        *(long *)to = (long)length;
        break;
    }
}

static void put_any_real(struct output *out, const struct conversion *how, va_list *arguments)
{
    if (how->size == 'L') {
        long double value = va_arg(*arguments, long double);
        put_real(out, how, &value);
    } else {
        double value = va_arg(*arguments, double);
        put_real(out, how, &value);
    }
}

/* 0 when a character cannot be written. */
static int convert(struct output *out, const struct conversion *how, va_list *arguments)
{
    switch (how->letter) {
    case 'd':
    case 'i':
        put_signed(out, how, signed_argument(how->size, arguments));
        return 1;
    case 'u':
        put_decimal(out, how, unsigned_argument(how->size, arguments), "");
        return 1;
    case 'x':
    case 'X':
    case 'o':
        put_binary(out, how, unsigned_argument(how->size, arguments));
        return 1;
    case 'c':
        return put_character(out, how, arguments);
    case 'n':
        store_count(how->size, va_arg(*arguments, void *), out->length);
        return 1;
    case '%':
        put(out, '%');
        return 1;
    case 's':
        if (how->size == 'l') return put_wide(out, how, va_arg(*arguments, const int *));
        put_text(out, how, va_arg(*arguments, const char *));
        return 1;
    default:
        put_any_real(out, how, arguments);
        return 1;
    }
}

enum { ARGUMENT = INT_MIN }; /* `*`: the count is the next argument */

static const char *read_width(const char *at, int *count)
{
    if (*at != '*') return read_count(at, count);
    *count = ARGUMENT;
    return at + 1;
}

static const char *read_conversion(const char *at, struct conversion *how)
{
    *how = (struct conversion){0, 0, -1, '\0', '\0'};
    at = read_width(read_flags(at, how), &how->width);
    if (*at == '.') at = read_width(at + 1, &how->precision);
    at = read_size(at, how);
    how->letter = *at;
    return at;
}

static void take_counts(struct conversion *how, va_list *arguments)
{
    if (how->width == ARGUMENT) how->width = va_arg(*arguments, int);
    if (how->precision == ARGUMENT) how->precision = va_arg(*arguments, int);
    if (how->width < 0) {
        how->flags |= LEFT;
        how->width = -how->width;
    }
}

/* What the engine leaves to the library: addresses, which differ from process to process, numbered arguments, %m, and
 * unknown letters. */
static int is_known(const char *format)
{
    struct conversion how;
    for (; *format != '\0'; format++) {
        const char *known = "diuxXocns%fFeEgGaA";
        if (*format != '%') continue;
        format = read_conversion(format + 1, &how);
        while (*known != how.letter && *known != '\0') known++;
        if (*known == '\0') return 0;
    }
    return 1;
}

static int fail(int error)
{
    *tightrope_model___errno_location() = error;
    return -1;
}

int tightrope_model_vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
{
    struct output out = {to, size, 0};
    va_list rest;
    int is_written = 1;
    if (!is_known(format)) return tightrope_native_vsnprintf(to, size, format, arguments);
    va_copy(rest, arguments);
    for (; *format != '\0' && is_written; format++) {
        struct conversion how;
        if (*format != '%') {
            put(&out, *format);
            continue;
        }
        format = read_conversion(format + 1, &how);
        take_counts(&how, &rest);
        is_written = convert(&out, &how, &rest);
    }
    va_end(rest);
    if (size > 0) to[out.length < size ? out.length : size - 1] = '\0';
    if (!is_written) return fail(NO_CHARACTER);
    return out.length > INT_MAX ? fail(TOO_LARGE) : (int)out.length;
}

int tightrope_model_vsprintf(char *restrict to, const char *restrict format, va_list arguments)
{
    return tightrope_model_vsnprintf(to, SIZE_MAX, format, arguments);
}

int tightrope_model_snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model_vsnprintf(to, size, format, arguments);
    va_end(arguments);
    return length;
}

int tightrope_model_sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model_vsprintf(to, format, arguments);
    va_end(arguments);
    return length;
}

int tightrope_model_vasprintf(char **restrict to, const char *restrict format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = tightrope_model_vsnprintf(NULL, 0, format, again);
    va_end(again);
    *to = length < 0 ? NULL : tightrope_malloc((unsigned long)length + 1);
    return *to == NULL ? -1 : tightrope_model_vsnprintf(*to, (size_t)length + 1, format, arguments);
}

int tightrope_model_asprintf(char **restrict to, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = tightrope_model_vasprintf(to, format, arguments);
    va_end(arguments);
    return length;
}
