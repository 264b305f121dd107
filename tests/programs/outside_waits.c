// function: serve
// A loop that waits ends: after their last answers, `select` and `recv` fail, with errno EIO.
#include <errno.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
int serve(int s)
{
    char byte[4];
    int got = 0, n;
    for (;;) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(s & 7, &set);
        if (select(8, &set, 0, 0, 0) < 0) {
            if (errno == EINTR) continue;
            break;
        }
        n = recv(s, byte, sizeof byte, 0);
        if (n < 0) return errno == EIO ? got : -1;
        got += n > 2;
    }
    if (got > 2) return 1; // expect branch: covered; mcdc: covered
    return -2;
}
