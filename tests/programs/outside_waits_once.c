// function: ready
// That a function fails after its last answer is no doubt where it is called less often.
#include <sys/select.h>
#include <sys/wait.h>

int ready(int channel)
{
    fd_set set;
    int status, found;
    FD_ZERO(&set);
    FD_SET(channel & 7, &set);
    found = select(8, &set, 0, 0, 0);
    if (found < -1) return -3; // expect branch(true): infeasible; branch(false): covered
    if (found < 0 && !FD_ISSET(channel & 7, &set)) return -2; // expect branch: covered
    if (wait(&status) < -1) return -1; // expect branch(true): infeasible; branch(false): covered
    return WIFEXITED(status);
}
