/* Models of the functions of <signal.h> that handle sets of signals, and of handlers: they are remembered here, and
 * called where the unit itself raises a signal. No other signal arrives. */

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int *tightrope_model___errno_location(void);

enum { INVALID_ARGUMENT = 22, SIGNALS = 64, CANCEL = 32, SET_ID = 33 }; /* the last two are the library's own */

static int refuse(void)
{
    *tightrope_model___errno_location() = INVALID_ARGUMENT;
    return -1;
}

static int is_signal(const sigset_t *set, int number) { return set != NULL && number >= 1 && number <= SIGNALS; }

int tightrope_model_sigemptyset(sigset_t *set)
{
    if (set == NULL) return refuse();
    *(unsigned long *)set = 0; /* the rest is never read */
    return 0;
}

int tightrope_model_sigfillset(sigset_t *set)
{
    if (set == NULL) return refuse();
    *(unsigned long *)set = ~(1ul << (CANCEL - 1) | 1ul << (SET_ID - 1));
    return 0;
}

int tightrope_model_sigaddset(sigset_t *set, int number)
{
    if (!is_signal(set, number) || number == CANCEL || number == SET_ID) return refuse();
    *(unsigned long *)set |= 1ul << (number - 1);
    return 0;
}

int tightrope_model_sigdelset(sigset_t *set, int number)
{
    if (!is_signal(set, number) || number == CANCEL || number == SET_ID) return refuse();
    *(unsigned long *)set &= ~(1ul << (number - 1));
    return 0;
}

int tightrope_model_sigismember(const sigset_t *set, int number)
{
    if (!is_signal(set, number)) return refuse();
    return (int)(*(const unsigned long *)set >> (number - 1) & 1);
}

/* -- handlers */

static struct sigaction handlers[SIGNALS + 1];

static int can_handle(int number) { return number >= 1 && number <= SIGNALS && number != CANCEL && number != SET_ID; }

int tightrope_model_sigaction(int number, const struct sigaction *fresh, struct sigaction *old)
{
    if (!can_handle(number) || (fresh != NULL && (number == SIGKILL || number == SIGSTOP))) return refuse();
    struct sigaction former = handlers[number];
    if (fresh != NULL) handlers[number] = *fresh;
    if (old != NULL) *old = former;
    return 0;
}

void (*tightrope_model_signal(int number, void (*handler)(int)))(int)
{
    if (!can_handle(number) || handler == SIG_ERR || number == SIGKILL || number == SIGSTOP) {
        refuse();
        return SIG_ERR;
    }
    void (*former)(int) = handlers[number].sa_handler;
    handlers[number] = (struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART};
    return former;
}

int tightrope_model_raise(int number)
{
    if (number < 0 || number > SIGNALS) return refuse();
    void (*handler)(int) = handlers[number].sa_handler;
    int flags = handlers[number].sa_flags;
    if (handler == SIG_DFL || number == 0) return (int)syscall(SYS_tkill, syscall(SYS_gettid), (long)number);
    if (handler == SIG_IGN) return 0;
    if (flags & SA_RESETHAND) handlers[number].sa_handler = SIG_DFL;
    if (flags & SA_SIGINFO) {
        static siginfo_t info;
        info.si_signo = number;
        ((void (*)(int, siginfo_t *, void *))handler)(number, &info, NULL);
    } else {
        handler(number);
    }
    return 0;
}
