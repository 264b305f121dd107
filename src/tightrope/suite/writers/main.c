/* --- one_process own_process */
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

/* --- one_process own_process */
static int tightrope_report(int number, int shown_number, int (*run)(int))
{
    const char *name = tightrope_tests[number].name;
    int holds;
#ifndef TIGHTROPE_RUN_CRASHING
    if (tightrope_tests[number].skip != NULL) {
        printf("ok %d - %s # SKIP %s\n", shown_number, name, tightrope_tests[number].skip);
        return 1;
    }
#endif
    holds = run(number);
    printf("%s %d - %s\n", holds ? "ok" : "not ok", shown_number, name);
    fflush(stdout);
    return holds;
}

/* Runs all tests and returns the number of failures. */
int tightrope_test_FUNCTION_NAME(void);
int tightrope_test_FUNCTION_NAME(void)
{
    int failed = 0;
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
        printf("1..1\n");
        return !tightrope_report(wanted - 1, 1, tightrope_run); /* in this process, for debuggers */
    }
    return tightrope_test_FUNCTION_NAME() != 0;
}
#endif
