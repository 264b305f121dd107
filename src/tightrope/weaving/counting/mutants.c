/* Which test fails on which mutant: for programs that contain all mutants (program/marks/mutants.py).

   Before `main`, this process becomes a server: it forks a child for each test and mutant that the test reaches; the
   child switches the mutant on, goes on to `main` and runs that test alone. The test passes if the child ends with
   status 0. Tests first run twice without a mutant: one that fails then, judges no mutant, and what it reaches is
   noted. They run once more at the end, because mutants may leave something behind. Results are in a file that is
   mapped (weaving/counting/mutant_record.py says how it is laid out).

   A mutant is endless if it takes many times as many steps as the function: that is the same on every machine. It fails
   a test if it leaves an array where the function does not: the compiler checks indices (-fsanitize=array-bounds), and
   a gap lies behind each variable and each block of the heap (weaving/counting/guarded_memory.py).

       plan | facts about each test | tests to try first, one for each mutant | reached and verdicts: a row for each test

   Row 0 is the whole program: of all tests, or of a program in which no tests are known. Without such a file, the program
   is the original one. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

enum verdict { NOT_RUN, PASSED, FAILED, CRASHED, TIMED_OUT, LEFT_ARRAY };

struct plan {
    unsigned long tests;
    unsigned long mutants;
    unsigned long killers;      /* tests to find for each mutant; then the next mutant */
    unsigned long milliseconds; /* for everything */
    unsigned long is_numbered;  /* the program takes the number of a test as its first argument */
};

struct test {
    unsigned long verdict;      /* without a mutant */
    unsigned long microseconds; /* of processor time */
    unsigned long steps;        /* calls of tightrope_at */
    unsigned long leaves_array; /* without a mutant */
    unsigned long left_array;   /* with the mutant that was on last */
};

struct object {
    const char *at;
    unsigned long size, gap; /* bytes, and those behind them that belong to nothing */
};

HIDDEN int tightrope_mutant; /* the one that is switched on; 0: none */
HIDDEN int tightrope_at(int first, int count);
HIDDEN int tightrope_begin(int test, const char *frame);
HIDDEN void tightrope_end(int before);
HIDDEN void tightrope_assume(_Bool holds, unsigned number);
HIDDEN void __ubsan_handle_out_of_bounds_minimal(void);
HIDDEN void tightrope_add_gaps(const struct object *table, unsigned long count);
HIDDEN void tightrope_check_access(const char *at, unsigned long size);
HIDDEN void *tightrope_malloc(unsigned long size);
HIDDEN void *tightrope_calloc(unsigned long count, unsigned long size);
HIDDEN void *tightrope_realloc(void *block, unsigned long size);
HIDDEN void tightrope_free(void *block);

static struct plan *plan;
static struct test *tests;
static unsigned int *expected;            /* by mutant: the test that will probably kill it; 0: none is known */
static unsigned char *reached, *verdicts; /* rows of mutants + 1 bytes */
static unsigned char *noted;              /* the row of the test that runs; none when a mutant is on */
static int chosen;                        /* the test that runs; 0: all */
static unsigned long steps, most_steps;   /* of the run with a mutant */

static const unsigned long SLOWER = 20;                    /* times as long as without a mutant, for an endless run */
static const unsigned long LEAST_STEPS = 2000000;          /* that each run may take */
static const unsigned long LEAST_TIME = 200000;            /* microseconds of processor time that each run may have */
static const unsigned long LEAST_WAIT = 15;                /* seconds, for a run that only waits */
static const int PASSING_STATUS = 0;

static void end_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
    _exit(1); /* it is blocked */
}

/* Whether one of these mutants is on. */
int tightrope_at(int first, int count)
{
    if (noted) {
        tests[chosen].steps++;
        if (!noted[first]) memset(noted + first, 1, (unsigned long)count);
    } else if (tightrope_mutant && ++steps > most_steps) {
        end_by(SIGPROF);
    }
    return (unsigned)tightrope_mutant - (unsigned)first < (unsigned)count;
}

/* Returns -1 if this test is not to run. */
int tightrope_begin(int test, const char *frame)
{
    (void)frame;
    return chosen && test != chosen ? -1 : 0;
}

void tightrope_end(int before) { (void)before; }

/* Assumptions only restrict the search for inputs; existing tests ignore them. */
void tightrope_assume(_Bool holds, unsigned number)
{
    (void)holds;
    (void)number;
}

/* What code calls that was compiled with checks of indices. A signal that no test expects. */
void __ubsan_handle_out_of_bounds_minimal(void)
{
    if (noted) tests[chosen].leaves_array = 1;
    if (tightrope_mutant && !tests[chosen].leaves_array) {
        tests[chosen].left_array = 1;
        end_by(SIGILL);
    }
}

/* Objects with a gap behind them: by their address, as many as there is memory for. */
static struct object *objects;
static unsigned long known, room;

/* The first object that starts behind the address. */
static unsigned long behind(const char *at)
{
    unsigned long low = 0, high = known;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        if ((unsigned long)objects[middle].at > (unsigned long)at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void add_object(struct object added)
{
    unsigned long at = behind(added.at);
    if (known == room) {
        struct object *larger = realloc(objects, (room ? 2 * room : 64) * sizeof *objects);
        if (!larger) return;
        objects = larger;
        room = room ? 2 * room : 64;
    }
    memmove(objects + at + 1, objects + at, (known - at) * sizeof *objects);
    objects[at] = added;
    known++;
}

/* The object that starts here; 0 if there is none. */
static struct object *object_at(const void *address)
{
    unsigned long at = address ? behind(address) : 0;
    return at && objects[at - 1].at == address ? objects + at - 1 : 0;
}

static void forget(struct object *gone)
{
    unsigned long at = (unsigned long)(gone - objects);
    memmove(gone, gone + 1, (known - at - 1) * sizeof *objects);
    known--;
}

void tightrope_add_gaps(const struct object *table, unsigned long count)
{
    if (!plan || (!noted && !tightrope_mutant)) return;
    for (unsigned long i = 0; i < count; i++) add_object(table[i]);
}

/* What the code is about to read or write. */
void tightrope_check_access(const char *at, unsigned long size)
{
    unsigned long next = known ? behind(at) : 0, offset;
    if (!next) return;
    offset = (unsigned long)at - (unsigned long)objects[next - 1].at;
    if (offset < objects[next - 1].size + objects[next - 1].gap && offset + size > objects[next - 1].size && size)
        __ubsan_handle_out_of_bounds_minimal();
}

enum { HEAP_GAP = 64 };

static void *with_gap(char *block, unsigned long size)
{
    if (block) add_object((struct object){block, size, HEAP_GAP});
    return block;
}

void *tightrope_malloc(unsigned long size)
{
    return size + HEAP_GAP < size ? malloc(size) : with_gap(malloc(size + HEAP_GAP), size);
}

void *tightrope_calloc(unsigned long count, unsigned long size)
{
    unsigned long whole;
    if (__builtin_mul_overflow(count, size, &whole) || whole + HEAP_GAP < whole) return calloc(count, size);
    return with_gap(calloc(1, whole + HEAP_GAP), whole);
}

void *tightrope_realloc(void *block, unsigned long size)
{
    struct object *old = object_at(block);
    char *moved;
    if (block && !old) return realloc(block, size);
    if (!block) return tightrope_malloc(size);
    if (size + HEAP_GAP < size) return realloc(block, size);
    moved = realloc(block, size + HEAP_GAP);
    if (!moved) return 0;
    forget(old);
    return with_gap(moved, size);
}

void tightrope_free(void *block)
{
    struct object *old = object_at(block);
    if (old) forget(old);
    free(block);
}

static unsigned long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long)time.tv_sec * 1000 + (unsigned long)time.tv_nsec / 1000000;
}

/* Processes that the test starts have whole seconds of processor time, at least one. */
static void limit_seconds(unsigned long seconds)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_CPU, &most) == 0 && (most.rlim_cur == RLIM_INFINITY || most.rlim_cur > seconds)) {
        most.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &most);
    }
}

/* In the child: what it prints goes nowhere, it ends with the server, and it has only so much processor time. */
static void become_test(int test, int mutant, unsigned long microseconds, const sigset_t *before, char **words)
{
    struct itimerval timer = {{0, 0}, {(long)(microseconds / 1000000), (long)(microseconds % 1000000)}};
    int nowhere = open("/dev/null", O_RDWR);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (nowhere >= 0) {
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        close(nowhere);
    }
    sigprocmask(SIG_SETMASK, before, 0);
    signal(SIGPROF, SIG_DFL);
    setitimer(ITIMER_PROF, &timer, 0);
    limit_seconds(microseconds / 1000000 + 1);
    chosen = test;
    tightrope_mutant = mutant;
    noted = mutant ? 0 : reached + (unsigned long)test * (plan->mutants + 1);
    most_steps = SLOWER * tests[test].steps + LEAST_STEPS;
    if (plan->is_numbered) snprintf(words[1], strlen(words[1]) + 1, "%d", test);
}

/* How the child ended: it may take some seconds, or a multiple of its processor time. */
static enum verdict wait_for(pid_t child, unsigned long microseconds, struct rusage *used)
{
    sigset_t ended;
    struct timespec patience = {(time_t)(LEAST_WAIT + 4 * microseconds / 1000000), 0};
    int status, was_stopped = 0;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (wait4(child, &status, WNOHANG, used) == 0) {
        if (sigtimedwait(&ended, 0, &patience) < 0 && errno == EAGAIN) {
            was_stopped = 1;
            kill(child, SIGKILL);
            wait4(child, &status, 0, used);
            break;
        }
    }
    kill(-child, SIGKILL); /* whatever it left behind */
    if (was_stopped) return TIMED_OUT;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGXCPU)) return TIMED_OUT;
    if (WIFSIGNALED(status)) return CRASHED;
    return WEXITSTATUS(status) == PASSING_STATUS ? PASSED : FAILED;
}

/* Returns 1 in the child, which goes on to `main`. */
static int run(int test, int mutant, unsigned long microseconds, char **words, enum verdict *verdict,
               struct rusage *used)
{
    sigset_t ended, before;
    pid_t child;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, &before);
    child = fork();
    if (child == 0) {
        become_test(test, mutant, microseconds, &before, words);
        return 1;
    }
    *verdict = child < 0 ? NOT_RUN : wait_for(child, microseconds, used);
    sigprocmask(SIG_SETMASK, &before, 0);
    return 0;
}

/* Each test twice, without a mutant. */
static int run_originals(char **words)
{
    for (unsigned long test = 0; test <= plan->tests; test++)
        for (int time = 0; time < 2; time++) {
            struct rusage used = {0};
            enum verdict verdict;
            unsigned long spent;
            tests[test].steps = 0;
            if (run((int)test, 0, plan->milliseconds * 1000, words, &verdict, &used)) return 1;
            if (time && verdict == PASSED) verdict = (enum verdict)tests[test].verdict;
            tests[test].verdict = verdict;
            spent = (unsigned long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
                    (unsigned long)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
            if (spent > tests[test].microseconds) tests[test].microseconds = spent;
        }
    return 0;
}

/* Returns 1 in a child. */
static int judge(unsigned long test, unsigned long mutant, char **words, unsigned long *killers)
{
    unsigned long row = test * (plan->mutants + 1), limit = SLOWER * tests[test].microseconds;
    struct rusage used = {0};
    enum verdict verdict;
    if (tests[test].verdict != PASSED || !reached[row + mutant] || verdicts[row + mutant]) return 0;
    tests[test].left_array = 0;
    if (run((int)test, (int)mutant, limit > LEAST_TIME ? limit : LEAST_TIME, words, &verdict, &used)) return 1;
    if (tests[test].left_array && verdict != PASSED) verdict = LEFT_ARRAY;
    verdicts[row + mutant] = (unsigned char)verdict;
    *killers += verdict == FAILED || verdict == CRASHED || verdict == LEFT_ARRAY;
    if (verdict == TIMED_OUT) *killers = plan->killers; /* it takes long, so once is enough */
    return 0;
}

/* What a mutant leaves behind, in files, may make tests fail that come after it. Such a test judges nothing. */
static int run_originals_again(char **words)
{
    for (unsigned long test = 0; test <= plan->tests; test++) {
        unsigned long row = test * (plan->mutants + 1);
        struct rusage used = {0};
        enum verdict verdict;
        if (tests[test].verdict != PASSED) continue;
        if (run((int)test, 0, plan->milliseconds * 1000, words, &verdict, &used)) return 1;
        if (verdict == PASSED) continue;
        tests[test].verdict = verdict;
        memset(verdicts + row, NOT_RUN, plan->mutants + 1);
    }
    return 0;
}

/* In rounds, so that little is lost when time runs out: one killer of each mutant, then a second one ... Position 0 is
   the test that is expected to kill it, then they come in order; last the whole program, if no test has judged it. */
static int run_mutants(unsigned long end, char **words)
{
    unsigned long rows = plan->mutants + 1, *next = calloc(3 * rows, sizeof *next);
    unsigned long *killers = next + rows, *judged = killers + rows;
    if (!next) return 0;
    for (unsigned long round = 1; round <= plan->killers; round++)
        for (unsigned long mutant = 1; mutant <= plan->mutants && now() < end; mutant++) {
            while (next[mutant] <= plan->tests && killers[mutant] < round && now() < end) {
                unsigned long test = next[mutant] ? next[mutant] : expected[mutant];
                next[mutant]++;
                if (test && judge(test, mutant, words, &killers[mutant])) return 1;
                judged[mutant] |= test && verdicts[test * rows + mutant];
            }
            if (round == 1 && !judged[mutant] && judge(0, mutant, words, &killers[mutant])) return 1;
        }
    free(next);
    return 0;
}

__attribute__((constructor(101))) static void serve_tests(int count, char **words)
{
    const char *number = getenv("TIGHTROPE_MUTANTS"); /* of the open file */
    int file = number ? atoi(number) : -1;
    off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    char *whole;
    unsigned long rows;
    if (size < (off_t)sizeof *plan) return;
    whole = mmap(0, (unsigned long)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (whole == MAP_FAILED) return;
    unsetenv("TIGHTROPE_MUTANTS");
    plan = (struct plan *)whole;
    tests = (struct test *)(plan + 1);
    rows = (plan->tests + 1) * (plan->mutants + 1);
    expected = (unsigned int *)(tests + plan->tests + 1);
    reached = (unsigned char *)(expected + plan->mutants + 1);
    verdicts = reached + rows;
    if (plan->is_numbered && count < 2) plan->is_numbered = 0;
    if (run_originals(words)) return;
    if (run_mutants(now() + plan->milliseconds, words)) return;
    if (run_originals_again(words)) return;
    _exit(0);
}
