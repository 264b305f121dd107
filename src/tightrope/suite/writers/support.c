static int tightrope_failures; /* of the current test */
/* --- EXPECT_INT EXPECT_UINT EXPECT_FLOAT */
static void tightrope_fail(const char *what, int index)
{
    tightrope_failures++;
    if (index < 0)
        printf("# %s", what);
    else
        printf("# %s[%d]", what, index);
}
/* Of two arrays, the first difference is told. */
#define TIGHTROPE_EACH(expect, actual, expected) \
    for (int tightrope_i = 0; tightrope_i < (int)(sizeof(expected) / sizeof *(expected)); tightrope_i++) \
        if (!expect(#actual, tightrope_i, (actual)[tightrope_i], (expected)[tightrope_i])) \
            break
/* --- EXPECT_INT */
#define EXPECT_INT(actual, expected) tightrope_expect_int(#actual, -1, (actual), (expected))
#define EXPECT_INTS(actual, expected) TIGHTROPE_EACH(tightrope_expect_int, actual, expected)
static int tightrope_expect_int(const char *what, int index, long long actual, long long expected)
{
    if (actual == expected)
        return 1;
    tightrope_fail(what, index);
    printf(": expected %lld, got %lld\n", expected, actual);
    return 0;
}
/* --- EXPECT_UINT */
#define EXPECT_UINT(actual, expected) tightrope_expect_uint(#actual, -1, (actual), (expected))
#define EXPECT_UINTS(actual, expected) TIGHTROPE_EACH(tightrope_expect_uint, actual, expected)
static int tightrope_expect_uint(const char *what, int index, unsigned long long actual, unsigned long long expected)
{
    if (actual == expected)
        return 1;
    tightrope_fail(what, index);
    printf(": expected %llu, got %llu\n", expected, actual);
    return 0;
}
/* --- EXPECT_FLOAT EXPECTED_REALS */
/* Floats are equal when their bits are, or when both are NaN. On a target whose arithmetic rounds differently, build with
   -DTIGHTROPE_FLOAT_TOLERANCE=1e-6: a difference of that part of the larger number is allowed then. */
#ifndef TIGHTROPE_FLOAT_TOLERANCE
#define TIGHTROPE_FLOAT_TOLERANCE 0
#endif
static int tightrope_is_close(double actual, double expected)
{
    union { double value; unsigned long long bits; } a = {actual}, e = {expected};
    double difference = actual > expected ? actual - expected : expected - actual;
    double largest = (actual < 0 ? -actual : actual) > (expected < 0 ? -expected : expected) ? actual : expected;
    if (a.bits == e.bits || (actual != actual && expected != expected))
        return 1;
    return TIGHTROPE_FLOAT_TOLERANCE > 0 && difference <= TIGHTROPE_FLOAT_TOLERANCE * (largest < 0 ? -largest : largest);
}
/* --- EXPECT_FLOAT */
#define EXPECT_FLOAT(actual, expected) tightrope_expect_float(#actual, -1, (actual), (expected))
#define EXPECT_FLOATS(actual, expected) TIGHTROPE_EACH(tightrope_expect_float, actual, expected)
static int tightrope_expect_float(const char *what, int index, double actual, double expected)
{
    if (tightrope_is_close(actual, expected))
        return 1;
    tightrope_fail(what, index);
    printf(": expected %.17g, got %.17g\n", expected, actual);
    return 0;
}
/* --- EXPECT_NULL EXPECT_NOT_NULL EXPECT_POINTER */
#define EXPECT_NULL(actual) tightrope_expect_that((actual) == NULL, #actual, "NULL")
#define EXPECT_NOT_NULL(actual) tightrope_expect_that((actual) != NULL, #actual, "a pointer that is not NULL")
#define EXPECT_POINTER(actual, expected) \
    tightrope_expect_that((const volatile void *)(actual) == (const volatile void *)(expected), #actual, #expected)
static void tightrope_expect_that(int holds, const char *what, const char *expected)
{
    if (holds)
        return;
    tightrope_failures++;
    printf("# %s: expected %s, got another pointer\n", what, expected);
}
/* --- EXPECT_STRING */
#define EXPECT_STRING(actual, expected) tightrope_expect_string(#actual, (const char *)(actual), expected)
static void tightrope_expect_string(const char *what, const char *actual, const char *expected)
{
    unsigned long at = 0;
    while (actual != NULL && expected[at] != 0 && actual[at] == expected[at])
        at++;
    if (actual != NULL && actual[at] == expected[at])
        return;
    tightrope_failures++;
    if (actual == NULL)
        printf("# %s: expected \"%s\", got NULL\n", what, expected);
    else
        printf("# %s: expected \"%s\", got \"%.200s\"\n", what, expected, actual);
}
/* --- EXPECTED_LINES */
static int tightrope_is_same_line(const char *expected, const char *line, unsigned long length)
{
    unsigned long at = 0;
    while (at < length && expected[at] == line[at])
        at++;
    return at == length && expected[at] == 0;
}
/* --- EXPECTED_REALS */
static int tightrope_is_number(const char *text)
{
    text += *text == '-';
    return *text >= '0' && *text <= '9';
}
static int tightrope_is_real(const char *from, const char *to)
{
    while (from < to && *from != '.' && *from != 'e')
        from++;
    return from < to;
}
static int tightrope_is_same_line(const char *expected, const char *line, unsigned long length)
{
    const char *end = line + length;
    while (line < end) {
        char *expected_end, *line_end;
        double one, other;
        if (!tightrope_is_number(expected) || !tightrope_is_number(line)) {
            if (*expected++ != *line++)
                return 0;
            continue;
        }
        one = tightrope_read(expected, &expected_end), other = tightrope_read(line, &line_end);
        if (tightrope_is_real(expected, expected_end) ? !tightrope_is_close(other, one) : one != other)
            return 0;
        expected = expected_end, line = line_end;
    }
    return *expected == 0;
}
/* --- EXPECT_CALLS EXPECT_NO_CALLS */
#define EXPECT_CALLS(...) \
    tightrope_expect_calls((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define EXPECT_NO_CALLS() tightrope_expect_calls(NULL, 0)
static void tightrope_expect_calls(const char *const *expected, unsigned count)
{
    const char *line = tightrope_log, *end = line;
    for (unsigned number = 0; number < count || *line != 0; number++, line = *end ? end + 1 : end) {
        for (end = line; *end != 0 && *end != '\n'; end++) { }
        if (number < count && *line != 0 && tightrope_is_same_line(expected[number], line, (unsigned long)(end - line)))
            continue;
        tightrope_failures++;
        printf("# call %u: expected %s", number + 1, number < count ? expected[number] : "no more calls");
        printf(*line != 0 ? ", got %.*s\n" : ", got no more calls%.*s\n", (int)(end - line), line);
        return;
    }
}
/* --- COPY */
#define COPY(array, values) tightrope_copy((void *)(array), (values), sizeof(values))
static void tightrope_copy(void *to, const void *from, unsigned long size)
{
    for (unsigned long at = 0; at < size; at++)
        ((unsigned char *)to)[at] = ((const unsigned char *)from)[at];
}
/* --- PROVIDE_INPUT */
/* Replaces the contents of standard input, of both the stream and the descriptor. */
#define PROVIDE_INPUT(text) tightrope_provide_input(text, sizeof(text) - 1)
#if defined(__unix__) || defined(__APPLE__)
int fileno(FILE *stream);
int dup2(int from, int to);
FILE *fdopen(int number, const char *mode);
#ifdef __linux__
int memfd_create(const char *name, unsigned flags);
#endif
static int tightrope_reopen_input(const char *text, unsigned long size)
{
    FILE *file = tmpfile();
#ifdef __linux__
    if (file == NULL) { /* it may not write to /tmp */
        int number = memfd_create("input", 0);
        file = number < 0 ? NULL : fdopen(number, "wb+");
    }
#endif
    int is_done = file != NULL && fwrite(text, 1, size, file) == size && fflush(file) == 0;
    if (is_done)
        rewind(file);
    is_done = is_done && dup2(fileno(file), 0) == 0 && freopen("/dev/stdin", "rb", stdin) != NULL;
    if (file != NULL)
        fclose(file);
    return is_done;
}
#else
static int tightrope_reopen_input(const char *text, unsigned long size)
{
    int is_done = freopen(tmpnam(NULL), "w+b", stdin) != NULL && fwrite(text, 1, size, stdin) == size;
    rewind(stdin);
    return is_done;
}
#endif
static void tightrope_provide_input(const char *text, unsigned long size)
{
    if (tightrope_reopen_input(text, size))
        return;
    tightrope_failures++;
    printf("# standard input could not be provided\n");
}
