// function: reach
// A function of the library that fails sets errno: an answer of -4 is the error 4.
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

int reach(int channel, const struct sockaddr *to, unsigned size)
{
    int done = connect(channel, to, size);
    if (done == -1) { // expect branch(true): covered; branch(false): covered
        if (errno == EINPROGRESS) return 1; // expect branch(true): covered; branch(false): covered
        if (errno <= 0) return 2; // expect branch(true): infeasible; branch(false): covered
        return 3;
    }
    return close(channel);
}
