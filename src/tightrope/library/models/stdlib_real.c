/* Models of the functions of <stdlib.h> that read real numbers, in the C locale.
 *
 * Up to 15 digits are an integer that a double holds exactly, and so are powers of ten up to 22: one product or
 * quotient of the two is rounded once, which is the right answer, and an expression. Other texts stay as they are in
 * this run, and the machine's library reads them. */

#include <stddef.h>

/* Done by the runtime: the value of the text, and how many characters of it were read. */
double tightrope_read_double(const char *text, unsigned long length, unsigned long *used);
float tightrope_read_float(const char *text, unsigned long length, unsigned long *used);

#define BETWEEN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))
#define IS_DIGIT(c) BETWEEN(c, '0', '9')

/* digits . digits e exponent; `end` is behind what belongs to the number. */
struct decimal {
    unsigned long digits;
    int count, exponent;
    const char *end;
};

static const char *after_blanks(const char *text)
{
    while (BETWEEN(*text, '\t', '\r') | (*text == ' ')) text++;
    return text;
}

static const char *read_digits(const char *at, struct decimal *read)
{
    for (; IS_DIGIT(*at); at++) {
        read->digits = read->digits * 10 + (unsigned long)(*at - '0');
        read->count++;
    }
    return at;
}

/* The exponent counts only if it has a digit. */
static void read_exponent(struct decimal *read)
{
    const char *at = read->end + 1;
    int value = 0, is_negative = 0;
    if ((*read->end | 32) != 'e') return;
    if (*at == '-' || *at == '+') is_negative = *at++ == '-';
    if (!IS_DIGIT(*at)) return;
    for (; IS_DIGIT(*at); at++) value = value > 9999 ? value : value * 10 + (*at - '0');
    read->exponent += is_negative ? -value : value;
    read->end = at;
}

static struct decimal read_decimal(const char *at)
{
    struct decimal read = {0, 0, 0, at};
    const char *whole = read_digits(at, &read);
    if (*whole == '.') {
        const char *fraction = read_digits(whole + 1, &read);
        read.exponent = -(int)(fraction - whole - 1);
        whole = fraction;
    }
    if (read.count == 0) return read;
    read.end = whole;
    read_exponent(&read);
    return read;
}

/* Words (inf, nan) and hexadecimal numbers. */
static int is_special(const char *at)
{
    if (*at == '0') return (at[1] | 32) == 'x';
    return ((*at | 32) == 'i') | ((*at | 32) == 'n');
}

/* At least as long as any such number. */
static size_t special_length(const char *at)
{
    size_t length = 0;
    while (IS_DIGIT(at[length]) | BETWEEN(at[length] | 32, 'a', 'z') | (at[length] == '.') | (at[length] == '+') |
           (at[length] == '-') | (at[length] == '(') | (at[length] == ')') | (at[length] == '_'))
        length++;
    return length;
}

/* Where the number starts, how long the text is that the library would have to read, whether an expression will do. */
struct text {
    const char *start;
    size_t length;
    int is_negative, is_short;
    struct decimal decimal;
};

static struct text read_text(const char *text, int most_digits, int most_exponent)
{
    struct text read = {after_blanks(text), 0, 0, 0, {0, 0, 0, NULL}};
    if (*read.start == '-' || *read.start == '+') read.is_negative = *read.start++ == '-';
    if (is_special(read.start)) {
        read.length = special_length(read.start);
        return read;
    }
    read.decimal = read_decimal(read.start);
    read.length = (size_t)(read.decimal.end - read.start);
    read.is_short = read.decimal.count <= most_digits &&
                    (unsigned)(read.decimal.exponent + most_exponent) <= 2u * (unsigned)most_exponent;
    return read;
}

static void set_end(char **end, const char *text, const struct text *read, size_t used)
{
    if (end != NULL) *end = (char *)(used == 0 ? text : read->start + used);
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const float float_powers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};

static double double_value(const struct decimal *read)
{
    double digits = read->count <= 9 ? (double)(int)read->digits : (double)(long)read->digits;
    if (read->exponent == 0) return digits;
    return read->exponent < 0 ? digits / powers[-read->exponent] : digits * powers[read->exponent];
}

static float float_value(const struct decimal *read)
{
    float digits = (float)(int)read->digits;
    if (read->exponent == 0) return digits;
    return read->exponent < 0 ? digits / float_powers[-read->exponent] : digits * float_powers[read->exponent];
}

double tightrope_model_strtod(const char *restrict text, char **restrict end)
{
    struct text read = read_text(text, 15, 22);
    unsigned long used = read.length;
    double value = read.is_short ? double_value(&read.decimal) : tightrope_read_double(read.start, read.length, &used);
    set_end(end, text, &read, used);
    return read.is_negative && used > 0 ? -value : value;
}

float tightrope_model_strtof(const char *restrict text, char **restrict end)
{
    struct text read = read_text(text, 7, 10);
    unsigned long used = read.length;
    float value = read.is_short ? float_value(&read.decimal) : tightrope_read_float(read.start, read.length, &used);
    set_end(end, text, &read, used);
    return read.is_negative && used > 0 ? -value : value;
}

double tightrope_model_atof(const char *text) { return tightrope_model_strtod(text, NULL); }
