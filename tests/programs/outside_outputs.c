// function: name_length
// What a function of the library writes is an input, also through an argument in place of `...`, and where the argument
// beside the buffer says how much room there is.
#define _GNU_SOURCE
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int name_length(int channel, const char *name)
{
    struct ifreq request;
    struct stat found;
    unsigned char frame[16];
    request.ifr_ifindex = 1;
    if (ioctl(channel, 0x8910, &request) < 0) return -1; // expect branch: covered
    if (strlen(request.ifr_name) > 3) return -2; // expect branch: covered
    long taken = recv(channel, frame, sizeof frame, 0);
    if (taken > 16) return -3; // expect branch(true): infeasible; branch(false): covered
    if (taken == 3 && frame[2] == 7) return -4; // expect branch: covered
    if (read(channel, frame, 4) < 0) return -5; // expect branch: covered
    if (frame[3] == 9) return -6; // expect branch: covered
    if (stat(name, &found) == 0 && S_ISREG(found.st_mode)) return -7; // expect branch: covered
    return 0;
}
