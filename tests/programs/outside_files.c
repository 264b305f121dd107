// function: replace
// Functions that act on files are stubs, whose results are those that POSIX allows: 0 or -1, and a descriptor or -1.
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int replace(const char *old, const char *fresh)
{
    int tell = socket(AF_UNIX, SOCK_STREAM, 0);
    if (tell < -1) // expect branch(true): infeasible; branch(false): covered
        return 1;
    if (tell == 0) // expect branch: covered
        return 2;
    if (unlink(old) == -1) // expect branch: covered
        return 3;
    if (rename(fresh, old) > 0) // expect branch(true): infeasible; branch(false): covered
        return 4;
    if (chmod(old, 0600)) // expect branch: covered
        return 5;
    return symlink(old, fresh);
}
