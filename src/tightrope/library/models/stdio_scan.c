/* Models of sscanf and its kin, and the engine of all that scan, in the C locale. The engine takes bytes from a text,
 * or from a stream through stdio_read.c, which calls it: who only scans texts does without that file and its input.
 * What else a format can hold is left to the library: see libc_models.py. */

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

int *tightrope_model___errno_location(void);
double tightrope_model_strtod(const char *restrict text, char **restrict end);
float tightrope_model_strtof(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end); /* the library's: it has no model */
void tightrope_beyond(void); /* nothing is proved by this run */

/* stdio_read.c has the true ones. */
__attribute__((weak)) int tightrope_next_byte(FILE *stream)
{
    (void)stream;
    return EOF;
}

__attribute__((weak)) void tightrope_push_byte(int byte, FILE *stream) { (void)byte, (void)stream; }

int tightrope_scan_stream(FILE *stream, int is_c23, const char *format, va_list places);

#define BETWEEN(c, low, high) ((unsigned)(c) - (unsigned)(low) <= (unsigned)(high) - (unsigned)(low))
#define IS_DIGIT(c) BETWEEN(c, '0', '9')
#define IS_BLANK(c) (BETWEEN(c, '\t', '\r') | ((c) == ' '))

enum { OUT_OF_RANGE = 34 }; /* ERANGE of Linux */
enum result { MATCHED, NO_MATCH, AT_END };

/* ---- bytes */

/* The bytes are those of a text, or of a stream, whose next one may be at hand already: `ahead`. A text that is NULL is
 * read, too: that is the program's mistake. The conversion under way may take `width` more bytes; `count` were taken by
 * all. C23 knows binary numbers. */
struct reader {
    const char *text;
    FILE *stream;
    int is_c23, is_ahead, ahead, count, width, is_text;
};

/* The next byte, or EOF. A text needs no branch to tell its end. */
static int peek(struct reader *from)
{
    if (from->is_text) {
        int byte = (unsigned char)*from->text;
        return byte | -(byte == 0);
    }
    if (!from->is_ahead) from->ahead = tightrope_next_byte(from->stream);
    from->is_ahead = 1;
    return from->ahead;
}

/* The same for the conversion under way, which ends with its width. */
static int look(struct reader *from) { return from->width > 0 ? peek(from) : EOF; }

static void take(struct reader *from)
{
    if (from->is_text) from->text++;
    from->is_ahead = 0;
    from->count++;
    from->width--;
}

static int take_if(struct reader *from, int is_wanted)
{
    if (!is_wanted) return 0;
    take(from);
    return 1;
}

static void give_back(struct reader *from)
{
    if (from->is_ahead && from->ahead != EOF) tightrope_push_byte(from->ahead, from->stream);
}

static void skip_blanks(struct reader *from) { while (take_if(from, IS_BLANK(peek(from)))); }

static enum result match_byte(struct reader *from, char wanted)
{
    int byte = peek(from);
    if (take_if(from, byte == (unsigned char)wanted)) return MATCHED;
    return byte == EOF ? AT_END : NO_MATCH;
}

/* ---- the format */

/* What a % asks for. hh is written H, ll and its other names q. `set` and `end` are around what is in [...]. */
struct directive {
    int is_dropped, width, is_inverted;
    char size, letter;
    const char *set, *end;
};

static const char *read_size(const char *at, struct directive *asked)
{
    asked->size = '\0';
    if (*at == 'h' || *at == 'l') {
        int is_double = at[1] == *at;
        asked->size = *at == 'h' ? (is_double ? 'H' : 'h') : (is_double ? 'q' : 'l');
        return at + 1 + is_double;
    }
    if (*at == 'q' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'L') asked->size = *at++;
    return at;
}

/* A `]` in front is one of the set. */
static const char *read_set(const char *at, struct directive *asked)
{
    asked->is_inverted = *at == '^';
    at += asked->is_inverted;
    asked->set = at;
    at += *at == ']';
    while (*at != '\0' && *at != ']') at++;
    asked->end = at;
    return at + (*at != '\0');
}

/* What follows the directive whose % is before `at`. */
static const char *read_directive(const char *at, struct directive *asked)
{
    asked->is_dropped = *at == '*';
    at += asked->is_dropped;
    for (asked->width = 0; IS_DIGIT(*at); at++) asked->width = asked->width * 10 + (*at - '0');
    at = read_size(at, asked);
    asked->letter = *at;
    at += *at != '\0';
    if (asked->width == 0) asked->width = asked->letter == 'c' ? 1 : INT_MAX;
    return asked->letter == '[' ? read_set(at, asked) : at;
}

/* ---- integers */

struct number {
    unsigned long value;
    int is_negative, is_too_large, digits;
};

/* The value of a digit of any base, or something above 36; no branch. */
static unsigned digit_value(int byte)
{
    unsigned code = (unsigned)byte;
    unsigned decimal = -(unsigned)BETWEEN(code, '0', '9'), letter = -(unsigned)BETWEEN(code | 32, 'a', 'z');
    return ((code - '0') & decimal) | (((code | 32) - 'a' + 10) & letter) | (~(decimal | letter) & 255);
}

static unsigned base_of(char letter)
{
    switch (letter) {
    case 'i':
        return 0;
    case 'o':
        return 8;
    case 'x':
    case 'X':
        return 16;
    default:
        return 10;
    }
}

/* A prefix that tells the base; its 0 is a digit, even if no other follows. */
static unsigned take_prefix(struct reader *from, unsigned base, struct number *read)
{
    if ((base != 0 && base != 16) || !take_if(from, look(from) == '0')) return base ? base : 10;
    read->digits = 1;
    if (take_if(from, (look(from) | 32) == 'x')) return 16;
    if (base == 0 && from->is_c23 && take_if(from, (look(from) | 32) == 'b')) return 2;
    return base ? base : 8;
}

/* Up to twelve digits are never too large: see stdlib.c. */
static void take_digits(struct reader *from, unsigned base, struct number *read)
{
    unsigned long most = ULONG_MAX / base, last = ULONG_MAX % base;
    for (unsigned digit; (digit = digit_value(look(from))) < base; read->digits++) {
        if (read->digits >= 12) read->is_too_large |= (read->value > most) | ((read->value == most) & (digit > last));
        read->value = read->value * base + digit;
        take(from);
    }
}

static struct number take_number(struct reader *from, char letter)
{
    struct number read = {0, 0, 0, 0};
    int byte = look(from);
    if (take_if(from, (byte == '-') | (byte == '+'))) read.is_negative = byte == '-';
    unsigned base = take_prefix(from, base_of(letter), &read);
    take_digits(from, base, &read);
    return read;
}

/* As strtol and strtoul have it; no branch on the sign. */
static unsigned long value_of(const struct number *read, int is_signed)
{
    unsigned long sign = -(unsigned long)read->is_negative, limit = (unsigned long)LONG_MAX - sign;
    if (read->digits > 12 && (read->is_too_large | (is_signed & (read->value > limit)))) {
        *tightrope_model___errno_location() = OUT_OF_RANGE;
        return is_signed ? limit : ULONG_MAX;
    }
    return (read->value ^ sign) - sign;
}

static void store_integer(char size, void *to, unsigned long value)
{
    switch (size) {
    case '\0':
        *(unsigned *)to = (unsigned)value;
        break;
    case 'H':
        *(unsigned char *)to = (unsigned char)value;
        break;
    case 'h':
        *(unsigned short *)to = (unsigned short)value;
        break;
    default:
        *(unsigned long *)to = value;
        break;
    }
}

static enum result scan_integer(struct reader *from, const struct directive *asked, void *to)
{
    struct number read = take_number(from, asked->letter);
    if (read.digits == 0) return NO_MATCH;
    unsigned long value = value_of(&read, asked->letter == 'd' || asked->letter == 'i');
    if (!asked->is_dropped) store_integer(asked->size, to, value);
    return MATCHED;
}

/* ---- reals */

enum { MOST_KEPT = 511 };

/* The characters of one, for strtod. */
struct real {
    int length;
    char text[MOST_KEPT + 1];
};

static int keep_if(struct reader *from, struct real *read, int is_wanted)
{
    if (!is_wanted) return 0;
    if (read->length < MOST_KEPT) read->text[read->length++] = (char)peek(from);
    read->text[read->length] = '\0';
    take(from);
    return 1;
}

static void keep_sign(struct reader *from, struct real *read)
{
    int byte = look(from);
    keep_if(from, read, (byte == '-') | (byte == '+'));
}

static int keep_letter(struct reader *from, struct real *read, char letter)
{
    return keep_if(from, read, (look(from) | 32) == letter);
}

/* glibc does not give back the byte that is another one. */
static int keep_word(struct reader *from, struct real *read, const char *word)
{
    for (; *word != '\0'; word++)
        if (!keep_letter(from, read, *word)) {
            from->is_ahead = 0;
            return 0;
        }
    return 1;
}

static int keep_digits(struct reader *from, struct real *read, unsigned base)
{
    int count = 0;
    while (keep_if(from, read, digit_value(look(from)) < base)) count++;
    return count;
}

/* Digits, and what may stand between them and behind; how many digits there are. */
static int keep_magnitude(struct reader *from, struct real *read)
{
    int count = keep_if(from, read, look(from) == '0'), is_hexadecimal = count && keep_letter(from, read, 'x');
    unsigned base = is_hexadecimal ? 16 : 10;
    count = (is_hexadecimal ? 0 : count) + keep_digits(from, read, base);
    if (keep_if(from, read, look(from) == '.')) count += keep_digits(from, read, base);
    if (count > 0 && keep_letter(from, read, is_hexadecimal ? 'p' : 'e')) {
        keep_sign(from, read);
        keep_digits(from, read, 10);
    }
    return count;
}

/* 0 when there is no number. An i behind `inf` has to go on as `infinity` does. */
static int keep_real(struct reader *from, struct real *read)
{
    keep_sign(from, read);
    if ((look(from) | 32) == 'n') return keep_word(from, read, "nan");
    if ((look(from) | 32) == 'i')
        return keep_word(from, read, "inf") && ((look(from) | 32) != 'i' || keep_word(from, read, "inity"));
    return keep_magnitude(from, read) > 0;
}

static enum result scan_real(struct reader *from, const struct directive *asked, void *to)
{
    struct real read;
    read.length = 0;
    if (!keep_real(from, &read)) return NO_MATCH;
    if (asked->is_dropped) return MATCHED;
    if (asked->size == 'L')
        *(long double *)to = strtold(read.text, NULL);
    else if (asked->size == 'l')
        *(double *)to = tightrope_model_strtod(read.text, NULL);
    else
        *(float *)to = tightrope_model_strtof(read.text, NULL);
    return MATCHED;
}

/* ---- texts */

/* No branch on the byte. `c-a` is no range: c, - and a. */
static int is_in_set(const struct directive *asked, int byte)
{
    int found = 0;
    for (const char *at = asked->set; at < asked->end; at++) {
        int is_range = *at == '-' && at > asked->set && at + 1 < asked->end;
        if (is_range && (unsigned char)at[-1] <= (unsigned char)at[1])
            found |= BETWEEN(byte, (unsigned char)at[-1], (unsigned char)at[1]);
        else
            found |= byte == (unsigned char)*at;
    }
    return found ^ asked->is_inverted;
}

static int belongs(const struct directive *asked, int byte)
{
    if (asked->letter == 'c') return byte != EOF;
    return (byte != EOF) & (asked->letter == 's' ? !IS_BLANK(byte) : is_in_set(asked, byte));
}

static enum result scan_text(struct reader *from, const struct directive *asked, char *to)
{
    int length = 0;
    for (int byte; from->width > 0 && belongs(asked, byte = peek(from)); length++) {
        if (!asked->is_dropped) to[length] = (char)byte;
        take(from);
    }
    if (length == 0) return NO_MATCH;
    if (!asked->is_dropped && asked->letter != 'c') to[length] = '\0';
    return MATCHED;
}

/* ---- all together */

/* Wide characters, new memory, addresses, numbered places. */
static enum result scan_unknown(void)
{
    tightrope_beyond();
    return NO_MATCH;
}

static enum result convert(struct reader *from, const struct directive *asked, void *to)
{
    switch (asked->letter) {
    case 'c':
    case 's':
    case '[':
        return asked->size == '\0' ? scan_text(from, asked, to) : scan_unknown();
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return scan_real(from, asked, to);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return scan_integer(from, asked, to);
    default:
        return scan_unknown();
    }
}

/* A directive that is neither %n nor %%. */
static enum result scan_directive(struct reader *from, const struct directive *asked, va_list *places)
{
    void *to = asked->is_dropped ? NULL : va_arg(*places, void *);
    if (asked->letter != 'c' && asked->letter != '[') skip_blanks(from);
    if (peek(from) == EOF) return AT_END;
    from->width = asked->width;
    return convert(from, asked, to);
}

static enum result scan_percent(struct reader *from)
{
    skip_blanks(from);
    return match_byte(from, '%');
}

static int scan(struct reader *from, const char *format, va_list *places)
{
    struct directive asked;
    enum result result = MATCHED;
    int converted = 0;
    while (*format != '\0' && result == MATCHED) {
        char letter = *format++;
        if (letter != '%') {
            if (IS_BLANK(letter))
                skip_blanks(from);
            else
                result = match_byte(from, letter);
            continue;
        }
        format = read_directive(format, &asked);
        if (asked.letter == '%') {
            result = scan_percent(from);
        } else if (asked.letter != 'n') {
            result = scan_directive(from, &asked, places);
            converted += result == MATCHED && !asked.is_dropped;
        } else if (!asked.is_dropped) {
            store_integer(asked.size, va_arg(*places, void *), (unsigned long)from->count);
        }
    }
    give_back(from);
    return result == AT_END && converted == 0 ? EOF : converted;
}

static int scan_from(struct reader *from, const char *format, va_list places)
{
    va_list rest;
    va_copy(rest, places);
    int converted = scan(from, format, &rest);
    va_end(rest);
    return converted;
}

int tightrope_scan_stream(FILE *stream, int is_c23, const char *format, va_list places)
{
    struct reader from = {NULL, stream, is_c23, 0, 0, 0, 0, 0};
    return scan_from(&from, format, places);
}

static int scan_memory(const char *text, int is_c23, const char *format, va_list places)
{
    struct reader from = {text, NULL, is_c23, 0, 0, 0, 0, 1};
    return scan_from(&from, format, places);
}

/* ---- texts in memory, by the names that glibc has for them, too: since C99, and since C23 */

int tightrope_model_vsscanf(const char *restrict text, const char *restrict format, va_list places)
{
    return scan_memory(text, 0, format, places);
}

int tightrope_model___isoc99_vsscanf(const char *restrict text, const char *restrict format, va_list places)
{
    return scan_memory(text, 0, format, places);
}

int tightrope_model___isoc23_vsscanf(const char *restrict text, const char *restrict format, va_list places)
{
    return scan_memory(text, 1, format, places);
}

int tightrope_model_sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = scan_memory(text, 0, format, places);
    va_end(places);
    return converted;
}

int tightrope_model___isoc99_sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = scan_memory(text, 0, format, places);
    va_end(places);
    return converted;
}

int tightrope_model___isoc23_sscanf(const char *restrict text, const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = scan_memory(text, 1, format, places);
    va_end(places);
    return converted;
}
