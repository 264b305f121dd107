/* Runs tests, each in a process of its own, in a build that counts. `step` is in the driver that judge.py writes.
 *
 * Counters are written when the call returns. If it crashes, takes too long or calls exit, a handler writes them to
 * another file, of which only the vectors of decisions count: these are noted when an evaluation ends. Other counts are
 * computed by subtraction, which is wrong for a call that did not return; so gcov gets nothing of it. A test that breaks
 * a precondition writes nothing. */

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __clang__
int __llvm_profile_write_file(void);
void __llvm_profile_set_filename(const char *name);
#define WRITE_COUNTERS() __llvm_profile_write_file()
#define WRITE_UNFINISHED() (__llvm_profile_set_filename("unfinished-%m.profraw"), __llvm_profile_write_file())
#else
void __gcov_dump(void);
#define WRITE_COUNTERS() __gcov_dump()
#define WRITE_UNFINISHED() 0
#endif

enum { CALL = -1, LONGEST_LINE = 200, STACK = 1 << 16, MICROSECONDS = 1000000 };

/* The driver: sets an input and answers whether the value fits, or with CALL makes the call: 0 if it was not valid. */
int judged_step(int input, int is_real, __int128 whole, double real);
void judged_starts(void);

static volatile char *outcome; /* shared: Invalid, Called, Returned, Exited, X: crashed, Timed out, Killed */

void judged_starts(void)
{
    *outcome = 'C';
}

static void leave(char letter)
{
    *outcome = letter;
    WRITE_UNFINISHED();
    _exit(0);
}

static void stop(int number)
{
    leave(number == SIGALRM ? 'T' : 'X');
}

/* Before the compiler's own function that writes counters: that one was registered earlier. */
static void at_exit(void)
{
    leave('E');
}

static void prepare_child(double seconds)
{
    static char stack[STACK];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    struct rlimit processor = {(rlim_t)seconds + 2, (rlim_t)seconds + 2}, memory = {1ul << 32, 1ul << 32}, core = {0, 0};
    struct itimerval timer = {{0, 0}, {(time_t)seconds, (suseconds_t)((seconds - (time_t)seconds) * MICROSECONDS)}};

    atexit(at_exit);
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    setrlimit(RLIMIT_CPU, &processor); /* for code that blocks signals */
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &core);
    int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        dup2(nothing, descriptor);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Lines `INPUT i VALUE` and `INPUT r VALUE`, up to an empty one. */
static int set_inputs(FILE *file)
{
    char line[LONGEST_LINE], text[LONGEST_LINE], kind;
    int input, fits = 1;
    while (fgets(line, sizeof line, file) && sscanf(line, "%d %c %199s", &input, &kind, text) == 3) {
        int is_negative = text[0] == '-';
        __int128 whole = kind == 'i' ? (__int128)strtoull(text + is_negative, NULL, 10) : 0;
        fits &= judged_step(input, kind == 'r', is_negative ? -whole : whole, kind == 'r' ? strtod(text, NULL) : 0);
    }
    return fits;
}

static void skip_inputs(FILE *file)
{
    char line[LONGEST_LINE];
    while (fgets(line, sizeof line, file) && line[0] != '\n')
        continue;
}

/* TESTS SECONDS: prints a letter for each test. */
int main(int count, char **words)
{
    FILE *file = count == 3 ? fopen(words[1], "r") : NULL;
    if (!file)
        return 2;
    double seconds = atof(words[2]);
    outcome = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int c; (c = fgetc(file)) != EOF;) {
        ungetc(c, file);
        long place = ftell(file);
        *outcome = 'I';
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            FILE *own = fopen(words[1], "r"); /* its own position */
            if (own && fseek(own, place, SEEK_SET) == 0 && set_inputs(own)) {
                prepare_child(seconds);
                if (judged_step(CALL, 0, 0, 0)) {
                    *outcome = 'R';
                    WRITE_COUNTERS();
                }
            }
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status) || *outcome == 'C')
            *outcome = 'K'; /* nothing was written */
        putchar(*outcome);
        skip_inputs(file);
    }
    return 0;
}
