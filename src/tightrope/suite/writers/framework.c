/* --- message */
/* Why an expectation does not hold. */
static int tightrope_failures;
static char tightrope_message[400];
static __attribute__((unused)) void tightrope_begin(void)
{
    tightrope_failures = 1;
    tightrope_message[0] = 0;
}
static __attribute__((unused)) void tightrope_say(const char *format, ...)
{
    __builtin_va_list values;
    unsigned long used = __builtin_strlen(tightrope_message);
    __builtin_va_start(values, format);
    __builtin_vsnprintf(tightrope_message + used, sizeof tightrope_message - used, format, values);
    __builtin_va_end(values);
}
/* --- here */
#define TIGHTROPE_REPORT(...) \
    do { \
        __VA_ARGS__; \
        if (tightrope_failures) { \
            tightrope_failures = 0; \
            FAIL_WORD; \
        } \
    } while (0)
/* --- child */
/* Each test has a process of its own, which tells its failures to that of the framework. */
enum { TIGHTROPE_MOST_TOLD = 20 };
static int tightrope_failed, tightrope_channel[2];
int tightrope_pipe(int *ends) __asm__(TIGHTROPE_SYMBOL("pipe"));
int tightrope_close(int file) __asm__(TIGHTROPE_SYMBOL("close"));
long tightrope_read_from(int file, void *to, unsigned long size) __asm__(TIGHTROPE_SYMBOL("read"));
long tightrope_write(int file, const void *from, unsigned long size) __asm__(TIGHTROPE_SYMBOL("write"));
static void tightrope_tell(int line)
{
    char text[sizeof tightrope_message + 32];
    int size =
        __builtin_snprintf(text, sizeof text, "%sline %d: %s", tightrope_failed ? "; " : "", line, tightrope_message);
    tightrope_failures = 0;
    if (tightrope_failed++ < TIGHTROPE_MOST_TOLD &&
        tightrope_write(tightrope_channel[1], text, (unsigned long)size) < 0)
        printf("%s\n", text);
}
static void tightrope_hear(int status)
{
    long size =
        status == 1 ? tightrope_read_from(tightrope_channel[0], tightrope_message, sizeof tightrope_message - 1) : 0;
    tightrope_message[size < 0 ? 0 : size] = 0;
    tightrope_close(tightrope_channel[0]);
    tightrope_close(tightrope_channel[1]);
}
#define TIGHTROPE_REPORT(...) \
    do { \
        __VA_ARGS__; \
        if (tightrope_failures) tightrope_tell(__LINE__); \
    } while (0)
/* --- symbols */
/* Functions of the library, which the unit may declare in other ways, or call as stubs. */
#define TIGHTROPE_TEXT(word) TIGHTROPE_QUOTED(word)
#define TIGHTROPE_QUOTED(word) #word
#define TIGHTROPE_SYMBOL(name) TIGHTROPE_TEXT(__USER_LABEL_PREFIX__) name
/* --- apart */
/* Runs a test in a process of its own, which must end as expected: with this exit status, or by minus this signal. After
   undefined behaviour, that is expected only without optimisation and without sanitizers. */
enum { TIGHTROPE_ANY = 1000 };
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define TIGHTROPE_SANITIZED 1
#endif
#endif
#if defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(TIGHTROPE_SANITIZED)
enum { TIGHTROPE_MAY_DIFFER = 1 };
#else
enum { TIGHTROPE_MAY_DIFFER = 0 };
#endif
#define TIGHTROPE_APART(test, wanted, returns, is_undefined) \
    do { \
        if (!tightrope_run_apart(test, wanted, returns, is_undefined)) FAIL_WORD; \
    } while (0)
#if defined(__unix__) || defined(__APPLE__)
int tightrope_fork(void) __asm__(TIGHTROPE_SYMBOL("fork"));
int tightrope_wait(int process, int *status, int options) __asm__(TIGHTROPE_SYMBOL("waitpid"));
void tightrope_exit(int status) __asm__(TIGHTROPE_SYMBOL("exit"));
void (*tightrope_signal(int signal, void (*handler)(int)))(int) __asm__(TIGHTROPE_SYMBOL("signal"));
static int tightrope_run_apart(void (*test)(void), int wanted, int returns, int is_undefined)
{
    int status = -1, process;
    tightrope_message[0] = 0;
    fflush(NULL);
    process = OPEN_CHANNEL tightrope_fork();
    if (process == 0) {
        for (int signal = 1; signal < 32; signal++) tightrope_signal(signal, NULL); /* the framework may handle some */
        CONNECT;
        test();
        fflush(stdout);
        tightrope_exit(returns ? HAS_FAILED : 125 - (wanted == 125));
    }
    if (process < 0 || tightrope_wait(process, &status, 0) != process) {
        tightrope_say("no process could be started for the test");
        return 0;
    }
    status = status & 127 ? -(status & 127) : status >> 8 & 255;
    HEAR;
    if (status == wanted || (is_undefined && (TIGHTROPE_MAY_DIFFER || wanted == TIGHTROPE_ANY))) return 1;
    if (tightrope_message[0] == 0 && !returns && status == 125 - (wanted == 125))
        tightrope_say("it returned");
    else if (tightrope_message[0] == 0)
        tightrope_say("it ended with %s %d", status < 0 ? "signal" : "exit status", status < 0 ? -status : status);
    return 0;
}
#else
static int tightrope_run_apart(void (*test)(void), int wanted, int returns, int is_undefined)
{
    (void)test, (void)wanted, (void)returns, (void)is_undefined;
    tightrope_message[0] = 0;
    tightrope_say("this test needs a process of its own, which this system does not have");
    return 0;
}
#endif
/* --- RUN_APART( */
#define RUN_APART(test) TIGHTROPE_APART(test, 0, 1, 0)
/* --- EXPECT_EXIT( */
#define EXPECT_EXIT(test, status) TIGHTROPE_APART(test, status, 0, 0)
/* --- EXPECT_SIGNAL( */
#define EXPECT_SIGNAL(test, signal) TIGHTROPE_APART(test, -(signal), 0, 0)
/* --- EXPECT_CRASH( */
#define EXPECT_CRASH(test, signal) TIGHTROPE_APART(test, (signal) == TIGHTROPE_ANY ? TIGHTROPE_ANY : -(signal), 0, 1)
/* --- CONNECT_REGISTERS( */
#define CONNECT_REGISTERS() \
    do { \
        const char *tightrope_reason = (tightrope_failures = 0, tightrope_connect()); \
        if (tightrope_reason != NULL) SKIP_WORD(tightrope_reason); \
    } while (0)
#define EXPECT_KNOWN_REGISTERS() TIGHTROPE_REPORT()
