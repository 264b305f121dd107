/* Models of the functions of <stdio.h> that read, and of read(): standard input is an input of the unit, an array
 * that the driver defines. It ends where its length, an input too, says so. Other streams are read as they are. What
 * scanf and its kin do with the bytes is in stdio_scan.c. */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A driver whose unit reads nothing defines none of these. */
__attribute__((weak)) unsigned char tightrope_stdin[1];
__attribute__((weak)) const unsigned tightrope_stdin_size = 0;
__attribute__((weak)) unsigned tightrope_stdin_length = 0;

void tightrope_beyond(void); /* the run reached an end of the input that a longer input would not have */

FILE *tightrope_native_fopen(const char *name, const char *mode);
FILE *tightrope_native_empty_stream(void); /* always the same */

enum { MOST_PUSHED = 16, FIRST_LINE = 120 };

static unsigned position;  /* of the next byte */
static int is_drained;     /* the end was reached: a second check needs no comparison */
static int is_at_end;      /* what feof() says */
static int is_buffered;    /* a stream reads everything at its first read: nothing is left for read() */
static unsigned char pushed[MOST_PUSHED];
static int pushed_count;
static FILE *opened_stdin; /* standard input, opened by its name */

static int next_byte(void)
{
    if (pushed_count > 0) return pushed[--pushed_count];
    is_buffered = 1;
    if (is_drained || position >= tightrope_stdin_length) {
        if (!is_drained && position >= tightrope_stdin_size) tightrope_beyond();
        is_drained = is_at_end = 1;
        return EOF;
    }
    return tightrope_stdin[position++];
}

static int push_byte(int byte)
{
    if (byte == EOF || pushed_count == MOST_PUSHED) return EOF;
    pushed[pushed_count++] = (unsigned char)byte;
    is_at_end = 0;
    return (unsigned char)byte;
}

/* The rest of the input is shorter than `most`. There is one path for all lengths: bytes after its end keep their
 * values. */
static size_t take_rest(unsigned char *to, size_t most)
{
    size_t left = is_drained ? 0 : tightrope_stdin_length - position;
    for (size_t i = 0; i < most && position + i < tightrope_stdin_size; i++) {
        unsigned char is_there = (unsigned char)-(i < left);
        to[i] = (unsigned char)((tightrope_stdin[position + i] & is_there) | (to[i] & ~is_there));
    }
    if (!is_drained && most > tightrope_stdin_size - position) tightrope_beyond();
    is_drained = 1;
    return left;
}

/* Up to `most` bytes of the array. */
static size_t take(unsigned char *to, size_t most)
{
    if (is_drained || most > tightrope_stdin_length - position) return take_rest(to, most);
    for (size_t i = 0; i < most; i++) to[i] = tightrope_stdin[position + i];
    position += (unsigned)most;
    return most;
}

/* Reading a stream dereferences it: the search need not try NULL. */
static int is_stdin(FILE *stream)
{
    int is_read = *(volatile char *)stream == *(volatile char *)stream;
    return is_read && (stream == stdin || stream == opened_stdin);
}

static int read_byte(FILE *stream) { return is_stdin(stream) ? next_byte() : fgetc_unlocked(stream); }

int tightrope_model_ungetc(int byte, FILE *stream)
{
    if (is_stdin(stream)) return push_byte(byte);
    return byte != EOF && fseek(stream, -1L, SEEK_CUR) == 0 ? (unsigned char)byte : EOF;
}

int tightrope_model_getchar(void) { return next_byte(); }

int tightrope_model_getchar_unlocked(void) { return next_byte(); }

int tightrope_model_fgetc(FILE *stream) { return read_byte(stream); }

int tightrope_model_fgetc_unlocked(FILE *stream) { return read_byte(stream); }

int tightrope_model_getc(FILE *stream) { return read_byte(stream); }

int tightrope_model_getc_unlocked(FILE *stream) { return read_byte(stream); }

int tightrope_model__IO_getc(FILE *stream) { return read_byte(stream); }

int tightrope_model_feof(FILE *stream) { return is_stdin(stream) ? is_at_end : feof_unlocked(stream); }

int tightrope_model_feof_unlocked(FILE *stream) { return tightrope_model_feof(stream); }

int tightrope_model_ferror(FILE *stream) { return is_stdin(stream) ? 0 : ferror_unlocked(stream); }

int tightrope_model_ferror_unlocked(FILE *stream) { return tightrope_model_ferror(stream); }

void tightrope_model_clearerr(FILE *stream)
{
    if (is_stdin(stream))
        is_at_end = 0;
    else
        clearerr_unlocked(stream);
}

void tightrope_model_clearerr_unlocked(FILE *stream) { tightrope_model_clearerr(stream); }

char *tightrope_model_fgets(char *restrict line, int size, FILE *restrict stream)
{
    int length = 0;
    if (size <= 0) return NULL;
    while (length < size - 1) {
        int byte = read_byte(stream);
        if (byte == EOF) break;
        line[length++] = (char)byte;
        if (byte == '\n') break;
    }
    if (length == 0 && size > 1) return NULL;
    line[length] = '\0';
    return line;
}

char *tightrope_model_fgets_unlocked(char *restrict line, int size, FILE *restrict stream)
{
    return tightrope_model_fgets(line, size, stream);
}

char *tightrope_model_gets(char *line)
{
    char *end = line;
    int byte;
    while ((byte = next_byte()) != EOF && byte != '\n') *end++ = (char)byte;
    if (byte == EOF && end == line) return NULL;
    *end = '\0';
    return line;
}

size_t tightrope_model_fread(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    unsigned char *bytes = to;
    size_t most = size * count, taken = 0;
    if (!is_stdin(stream)) return fread_unlocked(to, size, count, stream);
    if (most == 0) return 0;
    while (taken < most && pushed_count > 0) bytes[taken++] = pushed[--pushed_count];
    if (taken < most) {
        is_buffered = 1;
        size_t more = take(bytes + taken, most - taken);
        is_at_end |= is_drained;
        taken += more;
    }
    return size == 1 ? taken : taken / size;
}

size_t tightrope_model_fread_unlocked(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    return tightrope_model_fread(to, size, count, stream);
}

ssize_t tightrope_model_read(int file, void *to, size_t most)
{
    if (file != STDIN_FILENO) return syscall(SYS_read, file, to, most);
    return is_buffered ? 0 : (ssize_t)take(to, most);
}

static int is_name_of_stdin(const char *name)
{
    static const char stdin_name[] = "/dev/stdin";
    for (unsigned i = 0; i < sizeof stdin_name; i++)
        if (name[i] != stdin_name[i]) return 0;
    return 1;
}

/* A program that reads a file gets standard input, if that is the file's name. It is another stream than stdin, and
 * begins where stdin does, if that was not read before. */
FILE *tightrope_model_fopen(const char *restrict name, const char *restrict mode)
{
    int is_unread = position == 0 && !is_drained && !opened_stdin;
    if (mode[0] != 'r' || !is_unread || !is_name_of_stdin(name)) return tightrope_native_fopen(name, mode);
    opened_stdin = tightrope_native_empty_stream();
    return opened_stdin;
}

FILE *tightrope_model_fopen64(const char *restrict name, const char *restrict mode)
{
    return tightrope_model_fopen(name, mode);
}

/* The line grows as glibc's does: 120 bytes at first, then twice as many. */
static char *make_room(char **line, size_t *size, size_t needed)
{
    if (*line == NULL || *size == 0) {
        *line = realloc(*line, FIRST_LINE);
        *size = FIRST_LINE;
    }
    if (needed > *size) {
        *size = needed > 2 * *size ? needed : 2 * *size;
        *line = realloc(*line, *size);
    }
    return *line;
}

ssize_t tightrope_model_getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream)
{
    size_t length = 0;
    int byte = read_byte(stream);
    make_room(line, size, 1);
    if (byte == EOF) return -1;
    for (; byte != EOF; byte = read_byte(stream)) {
        make_room(line, size, length + 2)[length] = (char)byte;
        length++;
        if (byte == end) break;
    }
    (*line)[length] = '\0';
    return (ssize_t)length;
}

ssize_t tightrope_model___getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream)
{
    return tightrope_model_getdelim(line, size, end, stream);
}

ssize_t tightrope_model_getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
    return tightrope_model_getdelim(line, size, '\n', stream);
}

/* ---- scanf and its kin: stdio_scan.c takes the bytes from here */

int tightrope_scan_stream(FILE *stream, int is_c23, const char *format, va_list places);

int tightrope_next_byte(FILE *stream) { return read_byte(stream); }

void tightrope_push_byte(int byte, FILE *stream) { tightrope_model_ungetc(byte, stream); }

int tightrope_model_vscanf(const char *restrict format, va_list places)
{
    return tightrope_scan_stream(stdin, 0, format, places);
}

int tightrope_model_vfscanf(FILE *restrict stream, const char *restrict format, va_list places)
{
    return tightrope_scan_stream(stream, 0, format, places);
}

int tightrope_model_scanf(const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = tightrope_scan_stream(stdin, 0, format, places);
    va_end(places);
    return converted;
}

int tightrope_model_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = tightrope_scan_stream(stream, 0, format, places);
    va_end(places);
    return converted;
}

/* What glibc calls them since C99, and since C23. */

int tightrope_model___isoc99_vscanf(const char *restrict format, va_list places)
{
    return tightrope_scan_stream(stdin, 0, format, places);
}

int tightrope_model___isoc99_vfscanf(FILE *restrict stream, const char *restrict format, va_list places)
{
    return tightrope_scan_stream(stream, 0, format, places);
}

int tightrope_model___isoc99_scanf(const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = tightrope_scan_stream(stdin, 0, format, places);
    va_end(places);
    return converted;
}

int tightrope_model___isoc99_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = tightrope_scan_stream(stream, 0, format, places);
    va_end(places);
    return converted;
}

int tightrope_model___isoc23_vscanf(const char *restrict format, va_list places)
{
    return tightrope_scan_stream(stdin, 1, format, places);
}

int tightrope_model___isoc23_vfscanf(FILE *restrict stream, const char *restrict format, va_list places)
{
    return tightrope_scan_stream(stream, 1, format, places);
}

int tightrope_model___isoc23_scanf(const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = tightrope_scan_stream(stdin, 1, format, places);
    va_end(places);
    return converted;
}

int tightrope_model___isoc23_fscanf(FILE *restrict stream, const char *restrict format, ...)
{
    va_list places;
    va_start(places, format);
    int converted = tightrope_scan_stream(stream, 1, format, places);
    va_end(places);
    return converted;
}
