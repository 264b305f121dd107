// function: receive
/* With _GNU_SOURCE, an address is passed to `recvfrom` as a union of pointers. The stub writes the bytes, as many as the
 * call says, but no address: nothing is known of that. */
#define _GNU_SOURCE
#include <netinet/in.h>
#include <sys/socket.h>

int receive(int s)
{
    struct { unsigned kind, length; unsigned char data[8]; } message;
    struct sockaddr_in from = {0};
    socklen_t size = sizeof from;
    if (recvfrom(s, &message, sizeof message, 0, (struct sockaddr *)&from, &size) < 0)  // expect branch: covered
        return -1;
    if (message.data[2] == 7 && message.length > 2)  // expect branch: covered; mcdc: covered
        return 1;
    if (from.sin_port == 99)  // expect branch(true): unknown; branch(false): covered; mcdc(true): unknown; mcdc(false): covered
        return 2;  // expect mcdc: unknown
    return 0;
}
