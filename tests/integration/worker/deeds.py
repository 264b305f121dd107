"""What C code may do to the process that it runs in. One entry is one `case` of a switch: its name, the C statement,
how the run must end, and a part of the reason."""

from __future__ import annotations

import re
from typing import NamedTuple

from tightrope.program.declarations.stubs import ALLOCATORS, OUTSIDE


def no_stubs(text: str) -> list[str]:
    """Options that let the C really do what it does: kill() and sleep() are no stubs here."""
    called = [name for name in (*OUTSIDE, *ALLOCATORS) if re.search(rf"\b{name}\(", text)]
    return [word for name in called for word in ("--no-stub", name)]


class Deed(NamedTuple):
    name: str
    code: str
    outcome: str
    reason: str = ""


HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int numbers[200]; /* more than are inputs */
static jmp_buf back;

static int deep(int n)
{
    volatile char room[256];
    room[0] = (char)n;
    return n == -1 ? 0 : deep(n + 1) + room[0];
}
static void catch(int number) { (void)number; }
static void at_end(void) { puts("the end"); }
static void *spin(void *p) { for (volatile int i = 0;; i++) ; return p; }
"""

CRASHES = [
    Deed("write to NULL", "*(volatile int *)0 = 1;", "crashed", "null pointer"),
    Deed("read from NULL", "{ int *volatile p = 0; return p[2]; }", "crashed", "null pointer"),
    Deed("wild pointer", "{ char *volatile p = (char *)0x123456789000; *p = 1; }", "crashed", "SIGSEGV"),
    Deed("write to code", "*(volatile char *)(long)&deep = 1;", "crashed", "SIGSEGV"),
    Deed("call of nothing", "((void (*)(void))0x10)();", "crashed", "SIGSEGV"),
    Deed("division by zero", "return 5 / zero;", "crashed", "division by zero"),
    Deed("remainder by zero", "return 5 % zero;", "crashed", "division by zero"),
    Deed("trap", "__builtin_trap();", "crashed", "SIG"),
    Deed("abort", "abort();", "crashed", "abort"),
    Deed("assert", "assert(zero);", "crashed", "assertion failed"),
    Deed("recursion", "return deep(0);", "crashed", "stack overflow"),
    Deed("raise", "raise(SIGSEGV);", "crashed", "SIGSEGV"),
    Deed("signal to itself", "kill(getpid(), SIGKILL);", "crashed", "SIGKILL"),
    Deed("signal to its group", "kill(0, SIGTERM);", "crashed", "SIGTERM"),
    Deed("double free", "{ char *p = malloc(3); free(p); free(p); }", "crashed", "free"),
    Deed("free of a local", "{ int local = 0; int *volatile p = &local; free(p); }", "crashed", "free"),
    Deed("over the end of a global", "for (int i = 0; i < many; i++) numbers[i] = -1;", "crashed", "out of bounds"),
    Deed(
        "over the end of a local", "{ char small[4]; memset(small, 1, (size_t)many); return small[1]; }", "crashed", ""
    ),
    Deed("longjmp to nowhere", "longjmp(back, 1);", "crashed", "longjmp"),
]

EXITS = [
    Deed("exit", "exit(3);", "exited", "exit status 3"),
    Deed("_exit", "_exit(4);", "exited", "exit status 4"),
    Deed("_Exit", "_Exit(5);", "exited", "exit status 5"),
    Deed("quick_exit", "quick_exit(6);", "exited", "exit status 6"),
    Deed("exit, with a function for the end", "atexit(at_end); exit(7);", "exited", "exit status 7"),
]

HANGS = [
    Deed("empty loop", "for (;;) ;", "timed_out", ""),
    Deed("loop with a branch", "for (unsigned i = 0;; i++) if (i == 5) i = 0;", "timed_out", ""),
    Deed("long loop", "{ volatile unsigned n = 0; for (unsigned i = 0; i < 50000000u; i++) n += i; }", "timed_out", ""),
    Deed("sleep", "sleep(20);", "timed_out", "in time"),
    Deed(
        "wait for itself", "{ int p[2]; char c; if (!pipe(p)) return (int)read(p[0], &c, 1); }", "timed_out", "in time"
    ),
    Deed("stop", "kill(getpid(), SIGSTOP);", "timed_out", "in time"),
    Deed("deaf loop", "for (int i = 1; i < 64; i++) signal(i, SIG_IGN); for (;;) ;", "timed_out", ""),
    Deed("endless thread", "{ pthread_t t; pthread_create(&t, 0, spin, 0); pthread_join(t, 0); }", "timed_out", ""),
]

CHANGES = [
    Deed("printing", 'for (int i = 0; i < 60000; i++) puts("0123456789012345678901234567890123456789");', "returned"),
    Deed("printing errors", 'for (int i = 0; i < 60000; i++) fputs("01234567890123456789\\n", stderr);', "returned"),
    Deed("closed descriptors", "for (int i = 0; i < 256; i++) close(i);", "returned"),
    Deed("closed streams", "fclose(stdin); fclose(stdout); fclose(stderr);", "returned"),
    Deed("rubbish to all descriptors", 'for (int i = 3; i < 40; i++) if (write(i, "rrrrrrr", 7)) errno = 0;', "returned"),
    Deed("descriptors that do not block", "for (int i = 0; i < 40; i++) fcntl(i, F_SETFL, O_NONBLOCK);", "returned"),
    Deed("emptied descriptors", "{ char b[9]; for (int i = 3; i < 40; i++) { fcntl(i, F_SETFL, O_NONBLOCK);"
         " if (read(i, b, 9)) errno = 0; } }", "returned"),
    Deed("signal handlers", "for (int i = 1; i < 64; i++) signal(i, catch); raise(SIGSEGV);", "returned"),
    Deed("blocked signals", "{ sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); }", "returned"),
    Deed("an alarm for later", "ualarm(2000, 0);", "returned"),
    Deed("another folder", 'if (chdir("/")) return -1;', "returned"),
    Deed("another umask", "umask(0777);", "returned"),
    Deed("errno", "errno = 33;", "returned"),
    Deed("random numbers", "srand(99); rand();", "returned"),
    Deed("smaller limits", "{ struct rlimit none = {0, 0}; setrlimit(RLIMIT_NOFILE, &none); setrlimit(RLIMIT_AS, &none); }",
         "returned"),
    Deed("a function for the end", "atexit(at_end);", "returned"),
    Deed("memory until there is none", "while (malloc(1 << 22)) ;", "returned"),
    Deed("mapped memory until there is none",
         "while (mmap(0, 1 << 28, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) ;", "returned"),
    Deed("heap full of ones", "{ char *p = malloc(4096); if (p) memset(p, 1, 4096); }", "returned"),
    Deed("numbers that are no inputs", "for (int i = 64; i < 200; i++) numbers[i] = 1;", "returned"),
    Deed("standard input", "if (getchar() != EOF) return -1;", "returned"),
    Deed("a child that stays", "if (fork() == 0) { sleep(30); _exit(0); }", "returned"),
    Deed("a child that returns", "if (fork() == 0) return 5;", "returned"),
    Deed("a child with a session of its own",
         "if (fork() == 0) { setsid(); if (fork() == 0) { sleep(30); _exit(0); } _exit(0); }", "returned"),
    Deed("a thread", "{ pthread_t t; pthread_create(&t, 0, spin, 0); }", "returned"),
    Deed("a command", 'if (system("sleep 30 &") == 0) return -1;', "returned"),
    Deed("another program", 'if (execl("/bin/sh", "sh", "-c", "exit 8", (char *)0) != -1) return -1;', "returned"),
    Deed("a file", '{ FILE *f = fopen("here", "r"); if (f) return -1; f = fopen("here", "w"); if (!f) return -2; }', "returned"),
]  # fmt: skip

KEEPER = [
    Deed("the parent killed", "if (kill(getppid(), SIGKILL) == 0) return -1;", "returned"),
]


def switch(deeds: list[Deed], before: str = "", result: str = "0") -> str:
    """A unit `int act(int what)`: case k does the k-th deed, counted from 1."""
    cases = "\n".join(
        f"    case {number}: /* {deed.name} */ {deed.code} break;" for number, deed in enumerate(deeds, 1)
    )
    return f"{HEAD}\nint act(int what)\n{{\n    volatile int zero = 0, many = 2000;\n{before}    switch (what) {{\n{cases}\n    }}\n    return {result} + zero * many;\n}}\n"
