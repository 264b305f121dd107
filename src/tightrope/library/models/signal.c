/* Models of the functions of <signal.h> that handle sets of signals; everything else there changes the process. */

#include <signal.h>
#include <stddef.h>

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
