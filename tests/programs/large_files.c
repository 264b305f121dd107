// function: is_large
// Headers of glibc give these functions other symbols (`stat64`); their stubs have these, too.
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int is_large(const char *name, long limit)
{
    struct stat found;
    int file = open(name, O_RDONLY);
    if (file < 0)  // expect branch: covered
        return -1;
    if (stat(name, &found) != 0)  // expect branch: covered
        return -2;
    if (found.st_size > limit && S_ISREG(found.st_mode))  // expect branch: covered; mcdc: covered
        return 1;
    if (lseek(file, 0, SEEK_END) == 77)  // expect branch: covered
        return 2;
    return 0;
}
