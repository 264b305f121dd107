// function: wait_for
// Handlers are called where the unit raises a signal; that no other arrives is an assumption.
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t caught;

static void catch (int number) { caught = number; }

int wait_for(int number, int mode)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = catch;
    caught = 0;
    if (sigaction(number == 3 ? SIGUSR1 : SIGKILL, &action, NULL) < 0) // expect branch: covered
        return -1;
    if (mode == 5) // expect branch: covered
        raise(SIGUSR1);
    if (mode == 6) // expect branch: covered
        signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    if (caught == SIGUSR1) // expect branch: covered
        return 1;
    return 0;
}
