/* Inputs from bytes: RANDOM draws them and prints those that reach something new; FUZZER is an entry for libFuzzer;
 * otherwise the inputs in the files named are printed, each as a line of JSON, without making the call, or with --size how
 * many bytes they have. */

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void byte_subject(void);
void byte_input(void *at, unsigned size, int is_real, int is_signed, int is_boolean, const char *name);
int byte_rejected, byte_only_prints, byte_passed;

enum { MOST_INPUTS = 1 << 12, TRIES = 100000 };

static uint8_t bytes[1 << 16];
static size_t used, given;

/* Where each input is. */
static struct {
    size_t at;
    unsigned size;
    int is_real;
} inputs[MOST_INPUTS];
static size_t count_of_inputs;

/* What the next byte_input does. */
static enum { FILL, DRAW, PRINT, COUNT } mode;

static jmp_buf back;
static uint64_t seed = 88172645463325252u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Small numbers, edges of types, characters and any bits, each as likely as the others. */
static uint64_t draw(unsigned size, int is_real)
{
    uint64_t bits = next_random();
    if (is_real) {
        double number = (double)((int64_t)(next_random() % 20001) - 10000) / (bits & 1 ? 10 : 1);
        float single = (float)number;
        if (bits >> 60 == 0)
            return bits;
        uint64_t result = 0;
        if (size == sizeof single)
            memcpy(&result, &single, sizeof single);
        else
            memcpy(&result, &number, sizeof number);
        return result;
    }
    switch (bits >> 62) {
    case 0:
        return (uint64_t)((int64_t)(next_random() % 21) - 10);
    case 1: {
        uint64_t edge = (uint64_t)1 << next_random() % (8 * size);
        return bits & 1 ? edge : edge - 1;
    }
    case 2:
        return bits & 1 ? 32 + next_random() % 95 : next_random() % 1000;
    default:
        return next_random();
    }
}

static void print_value(const void *at, unsigned size, int is_real, int is_signed, const char *name)
{
    printf("%s\"%s\": ", used == 0 ? "" : ", ", name);
    if (is_real) {
        double number;
        float single;
        memcpy(&single, at, sizeof single);
        memcpy(&number, at, size == sizeof number ? sizeof number : sizeof single);
        if (size == sizeof single)
            number = single;
        if (number != number)
            printf("\"nan\"");
        else
            printf("\"%a\"", number);
        return;
    }
    uint64_t bits = 0;
    memcpy(&bits, at, size);
    int64_t whole = (int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size);
    if (is_signed)
        printf("%lld", (long long)whole);
    else
        printf("%llu", (unsigned long long)bits);
}

void byte_input(void *at, unsigned size, int is_real, int is_signed, int is_boolean, const char *name)
{
    uint8_t value[16] = {0};
    if (mode == DRAW) {
        uint64_t drawn = draw(size, is_real);
        memcpy(bytes + used, &drawn, size);
        given = used + size;
        if (count_of_inputs < MOST_INPUTS) {
            inputs[count_of_inputs].at = used;
            inputs[count_of_inputs].size = size;
            inputs[count_of_inputs++].is_real = is_real;
        }
    }
    if (used < given)
        memcpy(value, bytes + used, given - used < size ? given - used : size);
    if (is_boolean)
        value[0] &= 1;
    memcpy(at, value, size);
    if (mode == PRINT)
        print_value(at, size, is_real, is_signed, name);
    used += size;
}

static void run(int how)
{
    mode = how;
    used = 0;
    byte_rejected = byte_passed = 0;
    byte_only_prints = how == PRINT || how == COUNT;
    byte_subject();
}

#if defined(FUZZER)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > sizeof bytes)
        return -1;
    memcpy(bytes, data, size);
    given = size;
    run(FILL);
    return byte_rejected ? -1 : 0; /* -1: not to be kept */
}

#elif defined(RANDOM)

char *__llvm_profile_begin_counters(void);
char *__llvm_profile_end_counters(void);
char *__llvm_profile_begin_bitmap(void);
char *__llvm_profile_end_bitmap(void);

static volatile unsigned long runs, seen_run;

static void stop(int number)
{
    if (number == SIGALRM && seen_run != runs) {
        seen_run = runs; /* once more at the next tick: then it hangs */
        return;
    }
    siglongjmp(back, 1);
}

static double spent; /* before this program */

/* Seconds of the processor. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return spent + (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Whether these counters have one that was never above zero (or a bit that was never set) before. */
static int is_new(const char *begin, const char *end, char *known)
{
    int found = 0;
    for (size_t i = 0; i < (size_t)(end - begin); i++)
        if (begin[i] & ~known[i]) {
            found = 1;
            known[i] |= begin[i];
        }
    return found;
}

/* Counts differ in every run: whether a counter was used at all is what counts. */
static void flatten(char *begin, char *end)
{
    for (uint64_t *each = (uint64_t *)begin; each < (uint64_t *)end; each++)
        *each = *each != 0;
}

/* Draws all inputs. If preconditions do not hold, draws one of them again and again as long as no fewer hold. */
static void run_valid(void)
{
    count_of_inputs = 0;
    run(DRAW);
    for (int tries = 0; byte_rejected && tries < TRIES; tries++) {
        size_t which = next_random() % count_of_inputs, at = inputs[which].at;
        unsigned size = inputs[which].size;
        int passed = byte_passed;
        uint64_t before = 0, drawn = draw(size, inputs[which].is_real);
        memcpy(&before, bytes + at, size);
        memcpy(bytes + at, &drawn, size);
        run(FILL);
        if (byte_rejected && byte_passed < passed) {
            memcpy(bytes + at, &before, size);
            byte_passed = passed;
        }
    }
}

/* LIMIT SPENT IDLE, in seconds */
int main(int count, char **words)
{
    if (count != 4)
        return 2;
    double limit = atof(words[1]), idle = atof(words[3]), last = 0, moment;
    spent = atof(words[2]);
    char *counters = __llvm_profile_begin_counters(), *counters_end = __llvm_profile_end_counters();
    char *bitmap = __llvm_profile_begin_bitmap(), *bitmap_end = __llvm_profile_end_bitmap();
    char *known = calloc(1, (size_t)(counters_end - counters) + 1);
    char *known_bits = calloc(1, (size_t)(bitmap_end - bitmap) + 1);
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_NODEFER};
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    struct itimerval tick = {{0, 500000}, {0, 500000}};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    setitimer(ITIMER_REAL, &tick, NULL);
    while ((moment = now()) < limit && moment - last < idle + 2 * last) {
        memset(counters, 0, (size_t)(counters_end - counters));
        memset(bitmap, 0, (size_t)(bitmap_end - bitmap));
        runs++;
        if (sigsetjmp(back, 1) == 0)
            run_valid();
        if (byte_rejected)
            continue;
        flatten(counters, counters_end);
        int is_kept = is_new(counters, counters_end, known);
        is_kept |= is_new(bitmap, bitmap_end, known_bits);
        if (is_kept) {
            last = now();
            printf("{\"seconds\": %.4f, \"inputs\": {", last);
            run(PRINT);
            printf("}}\n");
            fflush(stdout);
        }
    }
    _exit(0);
}

#else

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "--size") == 0) {
        run(COUNT);
        printf("%zu\n", used);
        return 0;
    }
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(words[i], "rb");
        if (!file)
            return 2;
        given = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        printf("{");
        run(PRINT);
        printf("}\n");
    }
    return 0;
}

#endif
