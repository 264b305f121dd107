/* Which test hits which points: for programs in which points are noted, and nothing else (weaving/counting/count.py).

   The bytes of the points are mapped from a file (weaving/counting/record.py says how it is laid out), so that what was
   noted is there whatever becomes of the process: it may crash, be killed, or never end. A test begins and ends by a
   call; between two such calls the points belong to one test, and are then moved to its row.

       control | state of each test | rows: outside of tests, test 1, test 2 ... | points, in whole pages

   Without such a file, the program behaves as without instrumentation. */

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN unsigned char tightrope_points[];           /* begins a page */
extern HIDDEN const unsigned long tightrope_row_bytes;    /* a multiple of eight */
extern HIDDEN const unsigned long tightrope_mapped_bytes; /* the same in whole pages */

enum state { WAITING, SKIPPED, BEGUN, ENDED };

struct control {
    unsigned long tests;
    unsigned long current; /* the test that runs, counted from 1; 0: none */
    unsigned long alarm;   /* milliseconds that a test may take; 0: any */
    unsigned long calls;   /* tests that began */
};

static struct control *control;
static volatile unsigned char *states;
static unsigned char *rows;
static int running; /* of this process: a child that dies leaves its own in `control` */

static struct call {
    int before;
    const char *frame; /* on the stack, which grows towards lower addresses */
} *calls; /* by test: the latest call of each */

HIDDEN int tightrope_begin(int test, const char *frame);
HIDDEN void tightrope_end(int before);
HIDDEN void tightrope_assume(_Bool holds, unsigned number);

/* Points of any number are moved at a speed of eight bytes at a time; most are zero. */
static void keep_points(void)
{
    unsigned long *from = (unsigned long *)tightrope_points;
    unsigned long *to = (unsigned long *)(rows + control->current * tightrope_row_bytes);
    for (unsigned long at = 0; at < tightrope_row_bytes / sizeof *from; at++)
        if (from[at]) {
            to[at] |= from[at];
            from[at] = 0;
        }
}

static void set_alarm(unsigned long milliseconds)
{
    struct itimerval timer = {{0, 0}, {(long)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000}};
    if (control->alarm) setitimer(ITIMER_REAL, &timer, 0);
}

/* A test that fails may have been left by longjmp: then its frame is not below the frame in which the next one
 * begins. */
static void leave_abandoned(const char *frame)
{
    for (; running && calls[running].frame <= frame; running = calls[running].before) states[running] = ENDED;
}

/* What runs from here on is this test. Returns the test around it, or -1 if this one is not to run. */
int tightrope_begin(int test, const char *frame)
{
    int before;
    if (!control) return 0;
    if (states[test] == SKIPPED) return -1;
    keep_points();
    leave_abandoned(frame);
    before = running;
    calls[test] = (struct call){before, frame};
    running = test;
    control->current = (unsigned long)test;
    control->calls++;
    states[test] = BEGUN;
    set_alarm(control->alarm);
    return before;
}

void tightrope_end(int before)
{
    if (!control) return;
    keep_points();
    states[running] = ENDED;
    running = before;
    control->current = (unsigned long)before;
    set_alarm(0);
}

/* Assumptions only restrict the search for inputs; existing tests ignore them. */
void tightrope_assume(_Bool holds, unsigned number)
{
    (void)holds;
    (void)number;
}

__attribute__((constructor(101))) static void map_record(void)
{
    const char *name = getenv("TIGHTROPE_RECORD");
    int file = name ? atoi(name) : -1; /* open already: a contained program could not open it for writing */
    off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    char *whole;
    if (size < (off_t)tightrope_mapped_bytes) return;
    whole = mmap(0, (unsigned long)size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (whole == MAP_FAILED) return;
    if (mmap(tightrope_points, tightrope_mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             size - (off_t)tightrope_mapped_bytes) == MAP_FAILED)
        return;
    close(file);
    calls = calloc(((struct control *)whole)->tests + 1, sizeof *calls);
    if (!calls) return;
    control = (struct control *)whole;
    states = (unsigned char *)(control + 1);
    rows = (unsigned char *)(control + 1) + (control->tests + 8) / 8 * 8;
}
