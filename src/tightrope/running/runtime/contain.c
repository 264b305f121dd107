/* What a server gives up before it runs the unit. running/containment.py has prepared it, and says what and why. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"

typedef struct {
    u16 code;
    u8 if_true, if_false;
    u32 operand;
} instruction; /* of the kernel's filter machine */

/* Mirrors `InC` in running/containment.py. */
typedef struct {
    int ruleset; /* of Landlock; -1: none */
    u32 length;
    const instruction *filter;
    u64 key; /* that clone() needs; 0: no filter asks for it */
    const char *folder; /* the working folder of the unit */
    u32 most_processes;
} containment;

static const containment *contained;
static u32 *processes; /* that the unit has created; shared by all of them */

static int prepare_containment(const containment *prepared)
{
    contained = prepared;
    processes = mmap(0, sizeof *processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return processes != MAP_FAILED;
}

/* Root could otherwise raise its limits. It still reads and writes files of others, where Landlock allows it. */
static void drop_capabilities(void)
{
    struct {
        u32 version;
        int process;
    } head = {0x20080522, 0};
    struct {
        u32 effective, permitted, inheritable;
    } sets[2] = {{6, 6, 0}, {0, 0, 0}};
    if (geteuid() == 0) syscall(SYS_capset, &head, sets);
}

static int install_filter(void)
{
    enum { OWN_PROCESS = 0x7fff0001, OWN_GROUP = 0x7fff0002, MOST = 4096, SET_FILTER = 2 };
    static instruction own[MOST];
    struct {
        u16 length;
        const instruction *code;
    } program = {(u16)contained->length, own};
    u32 process = (u32)getpid();
    if (contained->length > MOST) return 0;
    for (u32 i = 0; i < contained->length; i++) {
        own[i] = contained->filter[i];
        if (own[i].operand == OWN_PROCESS) own[i].operand = process;
        if (own[i].operand == OWN_GROUP) own[i].operand = 0 - process;
    }
    return prctl(PR_SET_SECCOMP, SET_FILTER, &program, 0, 0) == 0;
}

/* In the server. Where it fails, the unit must not run. */
static int enter_containment(void)
{
    enum { RESTRICT_SELF = 446 };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (contained->ruleset >= 0) {
        if (syscall(RESTRICT_SELF, contained->ruleset, 0)) return 0;
        close(contained->ruleset);
    }
    if (!contained->length) return 1;
    drop_capabilities();
    return install_filter();
}

/* fork() for the unit: so many processes in one run, and no more. */
static int fork_counted(void)
{
    if (__atomic_add_fetch(processes, 1, __ATOMIC_RELAXED) > contained->most_processes) {
        errno = EAGAIN;
        return -1;
    }
    return contained->key ? (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, contained->key) : fork();
}

/* In the keeper, between two servers: the unit finds an empty folder. Links are never followed. */
static void empty_folder(int parent, const char *name, int depth)
{
    int at = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = at < 0 ? 0 : fdopendir(at);
    struct dirent *entry;
    if (!folder) {
        if (at >= 0) close(at);
        return;
    }
    while ((entry = readdir(folder))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        if (!unlinkat(at, entry->d_name, 0) || depth == 0) continue;
        fchmodat(at, entry->d_name, 0700, AT_SYMLINK_NOFOLLOW);
        empty_folder(at, entry->d_name, depth - 1);
        unlinkat(at, entry->d_name, AT_REMOVEDIR);
    }
    closedir(folder);
}
