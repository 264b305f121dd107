/* Reads standard input as its argument says, letter by letter, and prints what came out. With -DMODELS it calls the models
 * of stdio_read.c and stdio_scan.c, which read the same bytes from an array. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MODELS
unsigned char tightrope_stdin[256];
unsigned tightrope_stdin_length;
extern const unsigned tightrope_stdin_size;
const unsigned tightrope_stdin_size = sizeof tightrope_stdin;
void tightrope_beyond(void) { }
FILE *tightrope_native_fopen(const char *name, const char *mode) { return fopen(name, mode); }
FILE *tightrope_native_empty_stream(void) { return fopen("/dev/null", "r"); }
double tightrope_read_double(const char *text, unsigned long length, unsigned long *used)
{
    char *end;
    double value = strtod(text, &end);
    *used = (unsigned long)(end - text);
    return value;
}
float tightrope_read_float(const char *text, unsigned long length, unsigned long *used)
{
    char *end;
    float value = strtof(text, &end);
    *used = (unsigned long)(end - text);
    return value;
}

static void start(void) { tightrope_stdin_length = (unsigned)(read)(0, tightrope_stdin, sizeof tightrope_stdin); }

#define CALL(name) tightrope_model_##name
int CALL(getchar)(void), CALL(ungetc)(int, FILE *), CALL(feof)(FILE *), CALL(fgetc)(FILE *);
void CALL(clearerr)(FILE *);
char *CALL(fgets)(char *, int, FILE *);
size_t CALL(fread)(void *, size_t, size_t, FILE *);
ssize_t CALL(getline)(char **, size_t *, FILE *), CALL(getdelim)(char **, size_t *, int, FILE *), CALL(read)(int, void *, size_t);
int CALL(scanf)(const char *, ...);
FILE *CALL(fopen)(const char *, const char *);
#else
#define CALL(name) name
static void start(void) { }
#endif

static char buffer[64];
static FILE *again; /* standard input, opened by its name */

static void show(long result)
{
    printf("%ld", result);
    for (int i = 0; i < 12; i++)
        printf(" %d", buffer[i]);
    printf("\n");
}

static void show_line(ssize_t length, char *line)
{
    if (length >= 0)
        memcpy(buffer, line, (size_t)length < sizeof buffer ? (size_t)length : sizeof buffer);
    free(line);
    show(length);
}

static void do_one(char letter)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    memset(buffer, '.', sizeof buffer);
    switch (letter) {
    case 'c': show(CALL(getchar)()); break;
    case 'u': show(CALL(ungetc)('7', stdin)); break;
    case 'e': show(CALL(feof)(stdin) != 0); break;
    case 'E': CALL(clearerr)(stdin); break;
    case 'g': show(CALL(fgets)(buffer, 6, stdin) != NULL); break;
    case 'G': show(CALL(fgets)(buffer, 1, stdin) != NULL); break;
    case 'r': show((long)CALL(fread)(buffer, 1, 5, stdin)); break;
    case 'p': show((long)CALL(fread)(buffer, 2, 3, stdin)); break;
    case 'R': show(CALL(read)(0, buffer, 3)); break;
    case 'l': length = CALL(getline)(&line, &size, stdin); show_line(length, line); break;
    case 'L': length = CALL(getdelim)(&line, &size, '7', stdin); show_line(length, line); break;
    case 'd': show(CALL(scanf)("%d", (int *)buffer)); break;
    case 'D': show(CALL(scanf)("%3ld", (long *)buffer)); break;
    case 'h': show(CALL(scanf)("%hhd", (signed char *)buffer)); break;
    case 'i': show(CALL(scanf)("%i", (int *)buffer)); break;
    case 'x': show(CALL(scanf)("%x", (unsigned *)buffer)); break;
    case 'X': show(CALL(scanf)("%4llx", (unsigned long long *)buffer)); break;
    case 'o': show(CALL(scanf)("%ho", (unsigned short *)buffer)); break;
    case 'w': show(CALL(scanf)("%u", (unsigned *)buffer)); break;
    case 's': show(CALL(scanf)("%5s", buffer)); break;
    case 'S': show(CALL(scanf)(" %*s%n", (int *)buffer)); break;
    case 'k': show(CALL(scanf)("%2c", buffer)); break;
    case 'b': show(CALL(scanf)("%[a-c7]", buffer)); break;
    case 'B': show(CALL(scanf)("%4[^]a \n]", buffer)); break;
    case 'm': show(CALL(scanf)("%d,%d", (int *)buffer, (int *)buffer + 1)); break;
    case 'f': show(CALL(scanf)("%lf", (double *)buffer)); break;
    case 'F': show(CALL(scanf)("%4f", (float *)buffer)); break;
    case '0': show(CALL(scanf)("%La", (long double *)buffer)); break;
    case 'O': again = CALL(fopen)("/dev/stdin", "r"); show(again != NULL && again != stdin); break;
    case 'n': show(CALL(fgetc)(again)); break;
    case 'N': show(CALL(fopen)("no such file", "r") == NULL && CALL(fopen)("/dev/stdin/", "r") == NULL); break;
    case '%': show(CALL(scanf)("%% %c", buffer)); break;
    }
}

int main(int count, char **words)
{
    start();
    for (const char *at = count > 1 ? words[1] : ""; *at != '\0'; at++)
        do_one(*at);
    return 0;
}
