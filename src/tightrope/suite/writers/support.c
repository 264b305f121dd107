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
/* --- EXPECT_INT */
#define EXPECT_INT(actual, expected) tightrope_expect_int(#actual, -1, (actual), (expected))
#define EXPECT_INTS(actual, expected) \
    for (int tightrope_i = 0; tightrope_i < (int)(sizeof(expected) / sizeof *(expected)); tightrope_i++) \
    tightrope_expect_int(#actual, tightrope_i, (actual)[tightrope_i], (expected)[tightrope_i])
static void tightrope_expect_int(const char *what, int index, long long actual, long long expected)
{
    if (actual == expected)
        return;
    tightrope_fail(what, index);
    printf(": expected %lld, got %lld\n", expected, actual);
}
/* --- EXPECT_UINT */
#define EXPECT_UINT(actual, expected) tightrope_expect_uint(#actual, -1, (actual), (expected))
#define EXPECT_UINTS(actual, expected) \
    for (int tightrope_i = 0; tightrope_i < (int)(sizeof(expected) / sizeof *(expected)); tightrope_i++) \
    tightrope_expect_uint(#actual, tightrope_i, (actual)[tightrope_i], (expected)[tightrope_i])
static void tightrope_expect_uint(const char *what, int index, unsigned long long actual, unsigned long long expected)
{
    if (actual == expected)
        return;
    tightrope_fail(what, index);
    printf(": expected %llu, got %llu\n", expected, actual);
}
/* --- EXPECT_FLOAT */
/* Floats are equal when their bits are, or when both are NaN. */
#define EXPECT_FLOAT(actual, expected) tightrope_expect_float(#actual, -1, (actual), (expected))
#define EXPECT_FLOATS(actual, expected) \
    for (int tightrope_i = 0; tightrope_i < (int)(sizeof(expected) / sizeof *(expected)); tightrope_i++) \
    tightrope_expect_float(#actual, tightrope_i, (actual)[tightrope_i], (expected)[tightrope_i])
static void tightrope_expect_float(const char *what, int index, double actual, double expected)
{
    union { double value; unsigned long long bits; } a = {actual}, e = {expected};
    if (a.bits == e.bits || (actual != actual && expected != expected))
        return;
    tightrope_fail(what, index);
    printf(": expected %.17g, got %.17g\n", expected, actual);
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
#ifdef __linux__
int tightrope_unlink(const char *name) __asm__("unlink"); /* unlink itself may be a stub */
#endif
static int tightrope_reopen_input(const char *text, unsigned long size)
{
    FILE *file = tmpfile();
#ifdef __linux__
    if (file == NULL && (file = fopen("tightrope-input.tmp", "wb+")) != NULL) /* it may not write to /tmp */
        tightrope_unlink("tightrope-input.tmp");
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
