/* The processes of a worker.
 *
 *     Python  ──starts──▶  keeper (this program after the JIT)  ──forks──▶  server (runs the unit)
 *
 * The server answers requests until the unit kills it; whatever happens to it is an outcome. The keeper
 * never runs the unit: it watches the clock, reaps the server and all its children, reports how it died and
 * forks a new server in the initial state. All results are in shared memory, so they outlive the server.
 * A server also exits after a run that may have changed the process itself (FLAG_STAINED). */
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime.h"

void tightrope_drive(void); /* in the woven module */
void tr_constructors(void);

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

enum { NO_ADDRESS = -1 };

static void reset(void)
{
    u8 *start = (u8 *)tr_control;
    u32 points = tr_control->points;
    tr_control->outcome = RUN_NONE;
    tr_control->reason = tr_control->place = tr_control->status = tr_control->flags = tr_control->events = 0;
    tr_control->observations = tr_control->notes = 0;
    tr_control->steps = 0;
    tr_control->fault_address = NO_ADDRESS;
    memset(start + tr_control->counts_at, 0, 4 * (size_t)points);
    memset(start + tr_control->mask_at, 0, 8 * (size_t)((points + 63) / 64));
    memset(start + tr_control->outputs_at, 0, 16 * (size_t)tr_control->outputs);
    shadow_reset();
    objects_reset();
    ends_reset();
    labels_reset();
    addresses_reset();
    tr_callee = 0;
    tr_library_call = 0;
    tr_overflowed = 0;
    errno = 0;
}

/* Numbers of a new epoch mean new nodes. The flags of the last run may say that no more are made. */
static void begin_epoch(void)
{
    tr_control->flags = 0;
    tr_control->nodes = 1;
    tr_control->epoch++;
    make_leaves();
}

static void empty_full_table(void)
{
    memset(buckets, 0, 4 * ((size_t)bucket_mask + 1));
    begin_epoch();
}

/* Which of 1, 2, 3, 4-7, 8-15, 16-31, 32-127 and more hits a point had: one more round of a loop is progress of a
 * trial, if it is a new one of these. */
static u8 level_of(u32 count)
{
    if (!count || count & BY_CHANCE) return 0;
    if (count < 4) return (u8)(1 << (count - 1));
    return count < 8 ? 8 : count < 16 ? 16 : count < 32 ? 32 : count < 128 ? 64 : 128;
}

static void note_levels(void)
{
    u8 *start = (u8 *)tr_control, *levels = start + tr_control->levels_at;
    const u32 *counts = (const u32 *)(start + tr_control->counts_at);
    for (u32 point = 0; point < tr_control->points; point++) levels[point] = level_of(counts[point]);
}

static void run_once(void)
{
    reset();
    *processes = 0;
    if (tr_control->nodes > tr_control->nodes_capacity / 4 * 3) empty_full_table();
    tr_control->started_ns = now_ns();
    if (!setjmp(run_start)) {
        tr_constructors();
        tightrope_drive();
        tr_control->outcome = RUN_RETURNED;
        tr_control->place = 0;
    }
}

/* Reports the signal and the address, on a separate stack, then dies of the signal. */
static u8 signal_stack[1 << 16];

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t at = (uintptr_t)info->si_addr;
    int overflow = signal_number == SIGSEGV && info->si_code > 0 && at < stack_top &&
                   stack_top - at < stack_bytes + (1 << 20) && stack_top - at > stack_bytes / 2;
    tr_control->reason = overflow ? WHY_STACK_OVERFLOW : WHY_SIGNAL;
    if (overflow || is_tight()) tr_control->flags |= FLAG_APPROXIMATE; /* instrumented frames are larger than others */
    if (overflow) tr_control->place = 0;
    tr_control->status = (u32)signal_number;
    tr_control->library_call = tr_library_call;
    if (info->si_code > 0) tr_control->fault_address = at; /* otherwise somebody sent the signal */
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_signals(void)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    sigaltstack(&stack, 0);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) sigaction(deadly[i], &action, 0);
}

static void set_limit(int resource, u64 value)
{
    struct rlimit limit = {value, value};
    setrlimit(resource, &limit);
}

static void set_limits(void)
{
    struct rlimit stack;
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 1 << 20);
    set_limit(RLIMIT_NOFILE, 256);
    if (tr_control->address_limit) set_limit(RLIMIT_AS, tr_control->address_limit);
    getrlimit(RLIMIT_STACK, &stack);
    stack_top = (uintptr_t)__builtin_frame_address(0);
    stack_bytes = stack.rlim_cur > (1u << 30) ? 1u << 30 : stack.rlim_cur;
}

/* A process that the unit forks goes on with the run, on a copy of the shared memory, and ends with it. */
static int is_child_of_unit;

int tr_fork(void)
{
    int child = fork_counted();
    if (child) return child;
    u8 *shared = (u8 *)tr_control;
    size_t start = tr_control->nodes_at, total = start + sizeof(node) * tr_control->nodes_capacity;
    u8 *copy = mmap(0, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED) _exit(1);
    memcpy(copy, shared, tr_control->events_at + sizeof(event) * tr_control->events);
    memcpy(copy + start, shared + start, sizeof(node) * tr_control->nodes);
    mremap(copy, total, total, MREMAP_MAYMOVE | MREMAP_FIXED, shared);
    is_child_of_unit = 1;
    return 0;
}

/* Its parent may wait for it, and see how it ended. */
static _Noreturn void end_child(void)
{
    if (tr_control->outcome == RUN_CRASHED) {
        signal(SIGABRT, SIG_DFL);
        raise(SIGABRT);
    }
    _exit(tr_control->outcome == RUN_EXITED ? (int)tr_control->status : 0);
}

/* A run ends before the process does: functions that the unit registers for the end are never called. */
int tr_at_exit(void (*function)(void))
{
    (void)function;
    return 0;
}

/* The server: one request, one run, one reply. A byte in the pipe only wakes it; what is asked for is in
 * shared memory. Leaves with 0 when Python has closed the pipe, and otherwise when it is of no more use, because
 * the unit has closed its descriptors or changed the process: the next server is as new. */
enum { OF_NO_USE = 75, NOT_CONTAINED = 76 };

static void start_serving(int request, int reply)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    fcntl(request, F_SETFL,
          fcntl(request, F_GETFL) & ~O_NONBLOCK); /* the unit may have changed what all processes share */
    fcntl(reply, F_SETFL, fcntl(reply, F_GETFL) & ~O_NONBLOCK);
    set_limits();
    catch_signals();
    if (!enter_containment()) _exit(NOT_CONTAINED);
}

static void run_input(void)
{
    run_once();
    if (is_child_of_unit) end_child();
    if (tr_overflowed) tr_control->flags |= FLAG_OVERFLOW;
    if (tr_control->options & OPTION_TRIAL) note_levels();
}

/* Keeps what a run ahead has left; the place of the next result, or 0 if there is no room. */
static u8 *keep_result(u8 *at, const u8 *end)
{
    const u8 *shared = (const u8 *)tr_control;
    size_t mask = 8 * (size_t)((tr_control->points + 63) / 64), path = sizeof(event) * tr_control->events;
    size_t bytes = (sizeof(batch_result) + mask + path + 7) & ~(size_t)7;
    if (bytes > (size_t)(end - at)) return 0;
    *(batch_result *)at = (batch_result){tr_control->outcome, tr_control->flags,        tr_control->epoch,
                                         tr_control->events,  tr_control->observations, (u32)bytes};
    memcpy(at + sizeof(batch_result), shared + tr_control->mask_at, mask);
    memcpy(at + sizeof(batch_result) + mask, events(), path);
    tr_control->batch_results++;
    return at + bytes;
}

enum { BATCH_NS = 2000000 }; /* no run ahead begins later: the one that is asked for waits */

/* Runs the inputs ahead; then the input is the one that is asked for. */
static void run_batch(u32 count)
{
    u8 *start = (u8 *)tr_control + tr_control->batch_at, *inputs = (u8 *)tr_control + tr_control->inputs_at;
    const u8 *end = start + tr_control->batch_capacity;
    size_t size = 8 * (size_t)tr_control->slots;
    u8 *at = start + (MOST_AHEAD + 1) * size;
    u64 begin = tr_control->started_ns;
    for (u32 i = 0; i < count && at && tr_control->started_ns - begin < BATCH_NS; i++) {
        memcpy(inputs, start + i * size, size);
        run_input();
        if (tr_control->flags & FLAG_STAINED) _exit(OF_NO_USE);
        at = keep_result(at, end);
    }
    memcpy(inputs, start + count * size, size);
}

static void answer(int reply)
{
    u64 sequence = tr_control->accepted = tr_control->requested;
    u32 ahead = tr_control->batch_sequence == sequence ? tr_control->batch : 0;
    if (ahead && ahead <= MOST_AHEAD) run_batch(ahead);
    tr_control->batch_sequence = 0; /* what follows is the run that was asked for */
    run_input();
    u32 flags = tr_control->flags;
    tr_control->done = sequence;
    if (write(reply, &sequence, 8) != 8) _exit(OF_NO_USE);
    tr_control->replied = sequence;
    if (flags & FLAG_STAINED) _exit(OF_NO_USE);
}

static _Noreturn void serve(int request, int reply)
{
    char byte;
    ssize_t got = 1;
    int is_new = 1;
    start_serving(request, reply);
    do {
        if (tr_control->requested == tr_control->accepted) continue;
        tr_control->started_ns = now_ns();
        if (is_new)
            begin_epoch(); /* not earlier: until its next request, Python may read the table of the dead server */
        is_new = 0;
        answer(reply);
    } while ((got = read(request, &byte, 1)) == 1);
    _exit(got == 0 ? 0 : OF_NO_USE);
}

static void describe_death(int status)
{
    int had_reason = tr_control->reason == WHY_SIGNAL || tr_control->reason == WHY_STACK_OVERFLOW;
    if (tr_control->outcome != RUN_NONE) return; /* another thread said how the run ended */
    if (tr_control->reason == WHY_CLOCK)
        tr_control->outcome = RUN_TIMED_OUT;
    else if (WIFEXITED(status)) {
        tr_control->outcome = RUN_EXITED;
        tr_control->reason = WHY_EXIT;
        tr_control->status = (u32)WEXITSTATUS(status);
    } else {
        tr_control->outcome = RUN_CRASHED;
        if (!had_reason) tr_control->reason = WHY_SIGNAL;
        if (!had_reason) tr_control->flags |= FLAG_APPROXIMATE; /* killed from outside, as far as we know */
        tr_control->status = (u32)WTERMSIG(status);
    }
}

static int is_late(void)
{
    return tr_control->done != tr_control->accepted && tr_control->outcome == RUN_NONE && tr_control->started_ns &&
           now_ns() - tr_control->started_ns > tr_control->time_limit_ns;
}

/* Children of a dead server become ours: this process is a subreaper. */
static void bury_children(void)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (int round = 0; round < 1000; round++) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
        if (file >= 0) close(file);
        if (length <= 0) return;
        text[length] = 0;
        for (char *at = text, *end; *at; at = end) {
            long child = strtol(at, &end, 10);
            if (end == at) break;
            kill((pid_t)child, SIGKILL);
            waitpid((pid_t)child, 0, 0);
        }
    }
}

enum { MOST_NESTED = 100 }; /* folders in the folder of the unit */

/* Waits until the server is dead, killing it when its run takes too long. */
static int wait_for_death(pid_t server, pid_t python)
{
    sigset_t child;
    int status;
    struct timespec tick = {0, 20 * 1000 * 1000};
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while (waitpid(server, &status, WNOHANG) == 0) {
        sigtimedwait(&child, 0, &tick);
        if (is_late()) {
            tr_control->reason = WHY_CLOCK;
            kill(server, SIGKILL);
        }
        if (getppid() != python) kill(server, SIGKILL);
    }
    kill(-server, SIGKILL); /* whatever it started */
    bury_children();
    empty_folder(AT_FDCWD, contained->folder, MOST_NESTED);
    if (getppid() != python) _exit(0);
    return status;
}

static int prepare(void *shared)
{
    tr_control = shared;
    tr_nodes = (node *)((u8 *)shared + tr_control->nodes_at);
    size_t count = 2;
    while (count < 2 * tr_control->nodes_capacity) count *= 2;
    buckets = mmap(0, 4 * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bucket_mask = (u32)(count - 1);
    objects_start();
    functions_start();
    nodes_start();
    shadow_start();
    origins_start();
    ends_start();
    return buckets != MAP_FAILED;
}

static pid_t start_server(int request, int reply)
{
    pid_t server = fork();
    if (!server) serve(request, reply);
    tr_control->pid = (u32)server;
    return server;
}

/* The keeper. Returns 0 when Python has closed the request pipe. */
int tr_serve(int request, int reply, void *shared, const containment *prepared)
{
    pid_t python = getppid();
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!prepare_containment(prepared) || !prepare(shared)) return 1;
    for (;;) {
        pid_t server = start_server(request, reply);
        if (server < 0) return 2;
        int status = wait_for_death(server, python);
        u64 sequence = tr_control->accepted;
        if (tr_control->replied == sequence) { /* it died between two runs */
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
            if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_CONTAINED) return 3;
            continue;
        }
        if (tr_control->done != sequence) describe_death(status);
        tr_control->done = tr_control->replied = sequence;
        if (write(reply, &sequence, 8) != 8) return 0;
    }
}
