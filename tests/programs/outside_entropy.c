// function: make_key
// Random bytes of the system are inputs, and there may be none.
#define _DEFAULT_SOURCE
#include <sys/random.h>
#include <unistd.h>

int make_key(void)
{
    unsigned char key[8], salt[2];
    long made = getrandom(key, sizeof key, 0);
    if (made > 8) // expect branch(true): infeasible; branch(false): covered
        return -1;
    if (made < 8) // expect branch: covered
        return -2;
    if (key[7] == 0) // expect branch: covered
        return -3;
    if (getentropy(salt, sizeof salt) != 0) // expect branch: covered
        return -4;
    if (salt[1] == 7) // expect branch: covered
        return 1;
    return 0;
}
