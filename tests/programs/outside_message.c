// function: take
// `recvmsg` fills the buffer, the sender's address, control data and flags that its message leads to.
#define _GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

int take(int channel)
{
    unsigned char frame[16];
    char control[64];
    unsigned short sender[8];
    struct iovec part = {frame, sizeof frame};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    message.msg_name = sender;
    message.msg_namelen = sizeof sender;
    if (recvmsg(channel, &message, 0) < 0) return -1; // expect branch: covered
    if (frame[15] == 3 && sender[7] == 9) return 1; // expect branch: covered
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    if (!first) return 2; // expect branch: covered
    if (first->cmsg_level == SOL_SOCKET) return 3; // expect branch: covered
    return message.msg_flags & MSG_TRUNC ? 4 : 5; // expect branch: covered
}
