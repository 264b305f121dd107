// function: drop_rights
// Whether these calls succeed is up to who runs the tests, and root must not lose its rights: their answers are inputs.
#define _GNU_SOURCE
#include <grp.h>
#include <sys/resource.h>
#include <unistd.h>

int drop_rights(unsigned user)
{
    uid_t real, effective, saved;
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none))  // expect branch: covered
        return -1;
    if (setgroups(0, 0) || setresgid(-1, user, user))  // expect branch: covered
        return -2;
    if (setresuid(-1, user, user))  // expect branch: covered
        return -3;
    if (getresuid(&real, &effective, &saved))  // expect branch: covered
        return -4;
    return effective == user && saved == user;
}
