"""What C code may try to do to the world. One entry is one `case` of a switch, which returns whether the deed was done.

Most deeds are refused. `OPEN_FILE`, `FOLDER` ... are in a folder of the user's that must stay as it is. No deed would do
much harm if it were done: signals are ignored ones, times and names are those that the system has already.
"""

from __future__ import annotations

from typing import NamedTuple

REFUSED = "returned 0"
DONE = "returned 1"


class Attempt(NamedTuple):
    name: str
    code: str  # `return` whether it was done
    outcome: str = REFUSED  # separated by `|` where several are right
    needs_folder: bool = False  # done only if the code has a folder of its own


HEAD = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <netinet/in.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <sched.h>

static char *nothing[] = {0};
static jmp_buf back;
static void *spin(void *p) { for (;;) pause(); return p; }
static void *back_again(void *p) { return p; }
static int opens(const char *path, const char *mode) { FILE *f = fopen(path, mode); return f != NULL; }
static int connects(int family, int type, const void *address, unsigned size)
{
    int s = socket(family, type, 0);
    return s >= 0 && connect(s, address, size) == 0;
}
static int binds(int family, const void *address, unsigned size)
{
    int s = socket(family, SOCK_STREAM, 0);
    return s >= 0 && bind(s, address, size) == 0;
}
"""

_FILES = [
    Attempt("create", "return open(FOLDER \"/new\", O_CREAT | O_WRONLY, 0600) >= 0;"),
    Attempt("create at home", "return open(HOME \"/new\", O_CREAT | O_WRONLY, 0600) >= 0;"),
    Attempt("create in /tmp", "return open(TMP, O_CREAT | O_WRONLY, 0600) >= 0;"),
    Attempt("create with creat", "return creat(FOLDER \"/new\", 0600) >= 0;"),
    Attempt("create beside its own folder", "return opens(\"../new\", \"w\");"),
    Attempt("create in an opened folder", "{ int f = open(FOLDER, O_PATH | O_DIRECTORY); return openat(f, \"new\", O_CREAT | O_RDWR, 0600) >= 0; }"),
    Attempt("create without a name", "return open(FOLDER, O_TMPFILE | O_RDWR, 0600) >= 0;"),
    Attempt("overwrite", "return opens(OPEN_FILE, \"w\");"),
    Attempt("append", "return opens(OPEN_FILE, \"a\");"),
    Attempt("change", "return opens(OPEN_FILE, \"r+\");"),
    Attempt("overwrite at home", "return opens(HOME \"/.profile\", \"w\");"),
    Attempt("overwrite through a link of its own", "if (symlink(OPEN_FILE, \"link\") == 0) return opens(\"link\", \"w\"); return 0;"),
    Attempt("truncate", "return truncate(OPEN_FILE, 1) == 0;"),
    Attempt("truncate while opening for reading", "return open(OPEN_FILE, O_RDONLY | O_TRUNC) >= 0;"),
    Attempt("truncate what is open for reading", "return ftruncate(open(OPEN_FILE, O_RDONLY), 1) == 0;"),
    Attempt("map for writing", "return mmap(0, 4096, PROT_WRITE, MAP_SHARED, open(OPEN_FILE, O_RDONLY), 0) != MAP_FAILED;"),
    Attempt("unlink", "return unlink(OPEN_FILE) == 0;"),
    Attempt("remove", "return remove(OPEN_FILE) == 0;"),
    Attempt("remove at home", "return remove(HOME \"/.profile\") == 0;"),
    Attempt("rename", "return rename(OPEN_FILE, FOLDER \"/other\") == 0;"),
    Attempt("move to its own folder", "return rename(OPEN_FILE, \"mine\") == 0;"),
    Attempt("hard link", "return link(OPEN_FILE, FOLDER \"/other\") == 0;"),
    Attempt("hard link in its own folder", "return link(OPEN_FILE, \"mine\") == 0;"),
    Attempt("symbolic link", "return symlink(OPEN_FILE, FOLDER \"/other\") == 0;"),
    Attempt("make a folder", "return mkdir(FOLDER \"/new\", 0700) == 0;"),
    Attempt("remove a folder", "return rmdir(FOLDER \"/empty\") == 0;"),
    Attempt("make a pipe with a name", "return mkfifo(FOLDER \"/new\", 0600) == 0;"),
    Attempt("make a device", "return mknod(FOLDER \"/new\", S_IFCHR | 0600, 0x103) == 0;"),
    Attempt("chmod", "return chmod(OPEN_FILE, 0777) == 0;"),
    Attempt("chmod of what is open for reading", "return fchmod(open(OPEN_FILE, O_RDONLY), 0777) == 0;"),
    Attempt("chown", "return chown(OPEN_FILE, getuid(), getgid()) == 0;"),
    Attempt("utime", "return utime(OPEN_FILE, 0) == 0;"),
    Attempt("attribute", "return setxattr(OPEN_FILE, \"user.evil\", \"1\", 1, 0) == 0;"),
    Attempt("flags of a file", "{ long flags = 0x80; return ioctl(open(OPEN_FILE, O_RDONLY), 0x40086602L, &flags) == 0; }"),
    Attempt("shared memory with a name", "return shm_open(\"/tightrope-deed\", O_CREAT | O_RDWR, 0600) >= 0;"),
    Attempt("semaphore with a name", "return sem_open(\"/tightrope-deed\", O_CREAT, 0600, 1) != SEM_FAILED;"),
    Attempt("openat by number", "return syscall(SYS_openat, AT_FDCWD, FOLDER \"/new\", O_CREAT | O_WRONLY, 0600) >= 0;"),
    Attempt("openat2 by number", "{ unsigned long how[3] = {O_CREAT | O_WRONLY, 0600, 0}; return syscall(437, AT_FDCWD, FOLDER \"/new\", how, sizeof how) >= 0; }"),
    Attempt("unlinkat by number", "return syscall(SYS_unlinkat, AT_FDCWD, OPEN_FILE, 0) == 0;"),
    Attempt("renameat2 by number", "return syscall(SYS_renameat2, AT_FDCWD, OPEN_FILE, AT_FDCWD, FOLDER \"/other\", 0) == 0;"),
    Attempt("fchmodat2 by number", "return syscall(452, AT_FDCWD, OPEN_FILE, 0777, 0) == 0;"),
    Attempt("setxattrat by number", "return syscall(463, AT_FDCWD, OPEN_FILE, 0, \"user.evil\", 0, 0) == 0;"),
    Attempt("a library of its own", "{ FILE *f = fopen(\"evil.so\", \"w\"); if (f) { fputs(\"ELF\", f); fclose(f); } return dlopen(\"./evil.so\", RTLD_NOW) != 0; }"),
]  # fmt: skip

_PROGRAMS = [
    Attempt("system", "return system(\"true\") == 0;"),
    Attempt("popen", "{ FILE *f = popen(\"echo 1\", \"r\"); return f && fgetc(f) == '1'; }"),
    Attempt("exec", "execl(\"/bin/true\", \"true\", (char *)0); return 0;"),
    Attempt("posix_spawn", "{ pid_t p; char *words[] = {\"true\", 0}; return posix_spawn(&p, \"/bin/true\", 0, 0, words, nothing) == 0; }"),
    Attempt("exec of memory", "{ int m = memfd_create(\"m\", 0); char *words[] = {\"m\", 0}; if (write(m, \"#!/bin/true\\n\", 12) == 12) fexecve(m, words, nothing); return 0; }"),
    Attempt("execveat by number", "{ char *words[] = {\"true\", 0}; syscall(SYS_execveat, AT_FDCWD, \"/bin/true\", words, nothing, 0); return 0; }"),
    Attempt("exec in a child", "{ int p = fork(), s = 0; if (p == 0) { execl(\"/bin/true\", \"true\", (char *)0); _exit(9); } waitpid(p, &s, 0); return s == 0; }"),
]  # fmt: skip

_PROCESSES = [
    Attempt("fork bomb", "{ int n = 0; while (n < 5000 && fork() >= 0) n++; return n >= 5000; }", "returned 0|timed_out"),
    Attempt("daemon", "if (fork() == 0) { setsid(); if (fork() == 0) { sleep(30); _exit(0); } _exit(0); } return 0;"),
    Attempt("deaf child", "if (fork() == 0) { for (int i = 1; i < 64; i++) signal(i, SIG_IGN); for (;;) pause(); } return 0;"),
    Attempt("clone by number", "{ long p = syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0); if (p == 0) _exit(0); return p > 0; }"),
    Attempt("signal to the parent", "return kill(getppid(), SIGKILL) == 0;"),
    Attempt("stop of the parent", "return kill(getppid(), SIGSTOP) == 0;"),
    Attempt("signal to everybody", "return kill(-1, SIGWINCH) == 0;", "returned 0|returned 1"),  # succeeds, but reaches nobody
    Attempt("signal to init", "return kill(1, SIGWINCH) == 0;"),
    Attempt("tkill by number", "return syscall(SYS_tkill, getppid(), SIGKILL) == 0;"),
    Attempt("sigqueue", "{ union sigval v = {0}; return sigqueue(getppid(), SIGKILL, v) == 0; }"),
    Attempt("signal through a descriptor", "{ long p = syscall(434, getppid(), 0); return p >= 0 && syscall(424, p, SIGKILL, 0, 0) == 0; }"),
    Attempt("trace the parent", "return ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0;"),
    Attempt("read memory of the parent", "{ char b[8]; struct iovec here = {b, 8}, there = {(void *)&nothing, 8}; return process_vm_readv(getppid(), &here, 1, &there, 1, 0) > 0; }"),
    Attempt("write memory of the parent", "{ char p[64]; sprintf(p, \"/proc/%d/mem\", getppid()); return open(p, O_RDWR) >= 0; }"),
    Attempt("limit the parent", "{ struct rlimit none = {64, 64}; return prlimit(getppid(), RLIMIT_NOFILE, &none, 0) == 0; }"),
    Attempt("slow down the parent", "return setpriority(PRIO_PROCESS, (id_t)getppid(), 5) == 0;"),
    Attempt("outlive the parent", "return prctl(PR_SET_PDEATHSIG, 0) == 0;"),
    Attempt("raise a limit", "{ struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY}; return setrlimit(RLIMIT_FSIZE, &more) == 0; }"),
]  # fmt: skip

_NETWORK = [
    Attempt("TCP", "{ struct sockaddr_in a = {AF_INET, htons(PORT), {htonl(INADDR_LOOPBACK)}, {0}}; return connects(AF_INET, SOCK_STREAM, &a, sizeof a); }"),
    Attempt("UDP", "{ struct sockaddr_in a = {AF_INET, htons(PORT), {htonl(INADDR_LOOPBACK)}, {0}}; return connects(AF_INET, SOCK_DGRAM, &a, sizeof a); }"),
    Attempt("TCP version 6", "return socket(AF_INET6, SOCK_STREAM, 0) >= 0;"),
    Attempt("raw packets", "return socket(AF_PACKET, SOCK_RAW, 0) >= 0;"),
    Attempt("netlink", "return socket(AF_NETLINK, SOCK_RAW, 0) >= 0;"),
    Attempt("wait for connections", "{ struct sockaddr_in a = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}, {0}}; return binds(AF_INET, &a, sizeof a); }"),
    Attempt("UNIX socket of the user", "{ struct sockaddr_un a = {AF_UNIX, FOLDER \"/socket\"}; return connects(AF_UNIX, SOCK_STREAM, &a, sizeof a); }"),
    Attempt("UNIX socket of its own", "{ struct sockaddr_un a = {AF_UNIX, \"socket\"}; return binds(AF_UNIX, &a, sizeof a); }"),
    Attempt("abstract UNIX socket", "{ struct sockaddr_un a = {AF_UNIX, \"\\0deed\"}; return binds(AF_UNIX, &a, sizeof a); }"),
    Attempt("pair of sockets that can send elsewhere", "{ int s[2]; return socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0; }"),
    Attempt("socket by number", "return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0) >= 0;"),
]  # fmt: skip

_SYSTEM = [
    Attempt("io_uring", "{ char p[120] = {0}; return syscall(425, 4, p) >= 0; }"),
    Attempt("mount", "return mount(\"none\", FOLDER \"/empty\", \"tmpfs\", 0, 0) == 0;"),
    Attempt("reboot", "return syscall(SYS_reboot, 0xfee1deadL, 672274793L, 0L, 0L) == 0;"),
    Attempt("name of the machine", "{ char name[65] = \"\"; gethostname(name, 64); return sethostname(name, strlen(name)) == 0; }"),
    Attempt("clock", "{ struct timespec t; clock_gettime(CLOCK_REALTIME, &t); return clock_settime(CLOCK_REALTIME, &t) == 0; }"),
    Attempt("setuid", "return setuid(getuid() + 4321) == 0;"),
    Attempt("chroot", "return chroot(\"/\") == 0;"),
    Attempt("unshare", "return unshare(CLONE_NEWNS) == 0;"),
    Attempt("user namespace", "return unshare(CLONE_NEWUSER) == 0;"),
    Attempt("module", "return syscall(SYS_delete_module, \"tightrope_none\", 0) == 0 || errno == ENOENT;"),
    Attempt("message queue", "return msgget(IPC_PRIVATE, 0600) >= 0;"),
    Attempt("shared memory of System V", "return shmget(IPC_PRIVATE, 4096, 0600) >= 0;"),
    Attempt("message queue of POSIX", "return mq_open(\"/tightrope-deed\", O_CREAT | O_RDWR, 0600, 0) >= 0;"),
    Attempt("key", "return syscall(SYS_add_key, \"user\", \"deed\", \"x\", 1, -3) >= 0;"),
    Attempt("bpf", "{ int a[32] = {0}; return syscall(SYS_bpf, 0, a, sizeof a) >= 0; }"),
    Attempt("file by its handle", "return syscall(SYS_open_by_handle_at, -1, 0, 0) == 0 || errno != EPERM;"),
    Attempt("memory of the machine", "return open(\"/dev/mem\", O_RDWR) >= 0;"),
    Attempt("setting of the kernel", "return open(\"/proc/sys/kernel/hostname\", O_WRONLY) >= 0;"),
    Attempt("calls of 32 bits", "{ long n = -38;\n#ifdef __x86_64__\n__asm__ volatile(\"int $0x80\" : \"=a\"(n) : \"a\"(20L) : \"memory\");\n#endif\nreturn n != -38; }"),
    Attempt("calls of the x32 kind", "return syscall(SYS_getpid | 0x40000000) > 0;"),
]  # fmt: skip

_TO_ITSELF = [
    Attempt("endless output", "for (;;) puts(\"0123456789012345678901234567890123456789\");", "timed_out|crashed"),
    Attempt("huge file", "{ FILE *f = fopen(\"huge\", \"w\"); if (!f) raise(SIGXFSZ); for (;;) fputs(\"0123456789012345678901234567890123456789\", f); }", "timed_out|crashed"),
    Attempt("huge file at once", "{ int f = open(\"huge\", O_CREAT | O_RDWR, 0600); if (f < 0 || ftruncate(f, 1L << 40) == 0) raise(SIGXFSZ); return 0; }", "crashed|returned 0"),
    Attempt("huge allocation", "{ char *volatile p = malloc(1UL << 40); return p != 0; }"),
    Attempt("all memory", "{ int n = 0; while (n < 5000 && mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) n++; return n >= 5000; }"),
    Attempt("many descriptors", "{ int n = 0; while (n < 100000 && dup(0) >= 0) n++; return n >= 100000; }"),
    Attempt("no descriptors", "for (int i = 0; i < 4096; i++) close(i); return 0;", "returned 0"),
    Attempt("rubbish in all descriptors", "for (int i = 3; i < 4096; i++) if (write(i, \"rubbish\", 7) == 7) errno = 0; return 0;"),
    Attempt("exit", "exit(3);", "exited"),
    Attempt("_exit", "_exit(4);", "exited"),
    Attempt("exit by number", "syscall(SYS_exit_group, 5); return 0;", "exited"),
    Attempt("abort", "abort();", "crashed"),
    Attempt("its own signal", "raise(SIGKILL); return 1;", "crashed"),
    Attempt("signal to its group", "kill(0, SIGKILL); return 1;", "crashed"),
    Attempt("longjmp to nowhere", "longjmp(back, 1);", "crashed"),
    Attempt("deaf loop with a timer", "{ struct itimerval never = {{0, 0}, {0, 0}}; sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); alarm(0); setitimer(ITIMER_REAL, &never, 0); for (;;) pause(); }", "timed_out"),
    Attempt("stop", "raise(SIGSTOP); return 0;", "timed_out"),
    Attempt("threads that stay", "{ pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, spin, 0); return 0; }"),
]  # fmt: skip

_ALLOWED = [
    Attempt("a file of its own", "{ if (!opens(\"own\", \"w\") || rename(\"own\", \"other\") || mkdir(\"sub\", 0700)) return 0; return opens(\"sub/more\", \"w\") && unlink(\"other\") == 0; }", DONE, needs_folder=True),
    Attempt("an empty folder each time", "{ int was = opens(\"again\", \"r\"); return opens(\"again\", \"w\") && !was; }", DONE, needs_folder=True),
    Attempt("an empty folder each time, once more", "{ int was = opens(\"again\", \"r\"); return opens(\"again\", \"w\") && !was; }", DONE, needs_folder=True),
    Attempt("a file in an allowed folder", "return opens(ALLOWED \"/new\", \"w\");", DONE, needs_folder=True),
    Attempt("reading", "{ char text[9] = \"\"; FILE *f = fopen(OPEN_FILE, \"r\"); return f && fgets(text, 9, f) && text[0] == 'k'; }", DONE),
    Attempt("a pipe", "{ int p[2]; char c = 0; return pipe(p) == 0 && write(p[1], \"x\", 1) == 1 && read(p[0], &c, 1) == 1; }", DONE),
    Attempt("a pair of sockets", "{ int s[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0; }", DONE),
    Attempt("a thread", "{ pthread_t t; return pthread_create(&t, 0, back_again, 0) == 0 && pthread_join(t, 0) == 0; }", DONE),
    Attempt("a child", "{ int s = 0, p = fork(); if (p == 0) _exit(7); return p > 0 && waitpid(p, &s, 0) == p && WEXITSTATUS(s) == 7; }", DONE),
    Attempt("a timer", "signal(SIGALRM, SIG_IGN); return alarm(1) == 0 && alarm(0) == 1;", DONE),
]  # fmt: skip

ATTEMPTS = [*_FILES, *_PROGRAMS, *_PROCESSES, *_NETWORK, *_SYSTEM, *_TO_ITSELF, *_ALLOWED]


def write_unit(names: dict[str, str | int]) -> str:
    """`int act(int what)`: case k makes the k-th attempt, counted from 1. `names`: macros."""
    macros = "".join(
        f'#define {name} "{value}"\n' if isinstance(value, str) else f"#define {name} {value}\n"
        for name, value in names.items()
    )
    cases = "\n".join(f"    case {number}: {each.code}" for number, each in enumerate(ATTEMPTS, 1))
    return f"{HEAD}{macros}\nint act(int what)\n{{\n    switch (what) {{\n{cases}\n    }}\n    return 0;\n}}\n"


MAIN = "#include <stdlib.h>\nint main(int n, char **words) { return 100 + act(n > 1 ? atoi(words[1]) : 0); }\n"
