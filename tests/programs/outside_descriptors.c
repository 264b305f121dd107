// function: serve
// Functions on descriptors are stubs. `bind` has a transparent union, and `select` a struct without a tag.
#define _GNU_SOURCE
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

int serve(int channel)
{
    struct sockaddr_in where;
    memset(&where, 0, sizeof where);
    if (bind(channel, (struct sockaddr *)&where, sizeof where) < 0) // expect branch: covered
        return -1;
    if (ioctl(channel, 0x1234, &where) < -1) // expect branch(true): infeasible; branch(false): covered
        return -2;
    fd_set ready = {0};
    if (select(4, &ready, 0, 0, 0) > 0 // expect branch: covered
        && FD_ISSET(3, &ready))        // expect branch: covered
        return 3;
    if (send(channel, "x", 1, 0) != 1) // expect branch: covered
        return 4;
    return close(channel) == 0 ? 0 : -3; // expect branch: covered
}
