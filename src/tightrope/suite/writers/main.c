/* --- one_process own_process endings */
static int tightrope_run(int number)
{
    tightrope_failures = 0;
    tightrope_tests[number].run();
    return tightrope_failures == 0;
}

/* --- own_process */
/* A call can change state that the next test cannot reset (static locals, or data that is not an input). So each test
   has its own process, if the system supports that. */
#if defined(__unix__) || defined(__APPLE__)
int fork(void);
int waitpid(int process, int *status, int options);
void exit(int status);
static int tightrope_run_apart(int number)
{
    int status = 1, process;
    fflush(stdout);
    process = fork();
    if (process == 0) {
        int holds = tightrope_run(number);
        fflush(stdout);
        exit(!holds);
    }
    if (process < 0 || waitpid(process, &status, 0) != process)
        printf("# no process could be started for the test\n");
    else if (status & 127)
        printf("# ended by signal %d\n", status & 127);
    return status == 0;
}
#else
#define tightrope_run_apart tightrope_run
#endif

/* --- one_process */
#define tightrope_run_apart tightrope_run

/* --- endings */
/* Some tests do not return. So each test has its own process, if the system supports that, and those must end as
   observed. After undefined behaviour, that is expected only without optimisation and without sanitizers. */
enum { TIGHTROPE_SKIPPED = 2 };
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
#if defined(__unix__) || defined(__APPLE__)
int fork(void);
int waitpid(int process, int *status, int options);
void exit(int status);
static int tightrope_run_apart(int number)
{
    const int wanted = tightrope_tests[number].status, is_ending = tightrope_tests[number].ending != NULL;
    int status = -1, process;
    if (tightrope_tests[number].is_endless) return TIGHTROPE_SKIPPED;
    fflush(stdout);
    process = fork();
    if (process == 0) {
        int holds = tightrope_run(number);
        if (is_ending) printf("# it returned\n");
        fflush(stdout);
        exit(is_ending ? 125 - (wanted == 125) : !holds);
    }
    if (process < 0 || waitpid(process, &status, 0) != process) {
        printf("# no process could be started for the test\n");
        return 0;
    }
    status = status & 127 ? -(status & 127) : status >> 8 & 255;
    if (is_ending) printf("# %s\n", tightrope_tests[number].ending);
    if (status == wanted || (tightrope_tests[number].is_undefined && (TIGHTROPE_MAY_DIFFER || wanted == TIGHTROPE_ANY)))
        return 1;
    if (status < 0 || is_ending)
        printf("# ended with %s %d\n", status < 0 ? "signal" : "exit status", status < 0 ? -status : status);
    return 0;
}
#else
static int tightrope_run_apart(int number)
{
    return tightrope_tests[number].ending != NULL ? TIGHTROPE_SKIPPED : tightrope_run(number);
}
#endif

static int tightrope_report(int number, int shown_number, int (*run)(int))
{
    const char *name = tightrope_tests[number].name;
    int holds = run(number);
    if (holds == TIGHTROPE_SKIPPED) {
        printf("NEW_LINEok %d - %s # SKIP %s\n", shown_number, name, tightrope_tests[number].ending);
        return 1;
    }
    printf("NEW_LINE%s %d - %s\n", holds ? "ok" : "not ok", shown_number, name);
    fflush(stdout);
    return holds;
}

/* --- one_process own_process */
static int tightrope_report(int number, int shown_number, int (*run)(int))
{
    const char *name = tightrope_tests[number].name;
    int holds = run(number);
    printf("NEW_LINE%s %d - %s\n", holds ? "ok" : "not ok", shown_number, name);
    fflush(stdout);
    return holds;
}

/* --- one_process own_process endings */
/* Runs all tests and returns the number of failures. */
int tightrope_SUITE_NAME(void);
int tightrope_SUITE_NAME(void)
{
    int failed = 0;
    CONNECT
    printf("1..%d\n", TIGHTROPE_COUNT);
    for (int number = 0; number < TIGHTROPE_COUNT; number++)
        failed += !tightrope_report(number, number + 1, tightrope_run_apart);
    return failed;
}

#ifndef TIGHTROPE_NO_MAIN
#undef main
int main(int count, char **words)
{
    int wanted = 0;
    if (count > 1 && sscanf(words[1], "%d", &wanted) == 1 && wanted >= 1 && wanted <= TIGHTROPE_COUNT) {
        CONNECT_ONE
        printf("1..1\n");
        return !tightrope_report(wanted - 1, 1, RUN_ALONE); /* in this process, for debuggers */
    }
    return tightrope_SUITE_NAME() != 0;
}
#endif
