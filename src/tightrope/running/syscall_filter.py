"""A seccomp filter: the system calls that contained code may not make, and what the kernel answers instead.

The tables below say what is refused. `assemble` turns them into a program of the kernel's filter machine (BPF). It
sees the number and the arguments of a call, but no memory: so no paths. Each rule is a block of its own:

    jump over the block unless it is this call       from here on, the accumulator may hold an argument:
    ... look at arguments ...                        every block ends with an answer
    return answer
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

ALLOW, NOTIFY, _ERRNO = 0x7FFF0000, 0x7FC00000, 0x00050000
OWN_PROCESS, OWN_GROUP = 0x7FFF0001, 0x7FFF0002  # stand for the number of the process that installs the filter, and for
# that number as kill() names its process group: `personalise`, and runtime/contain.c, put them in

# name, number on x86-64, number on aarch64; `-`: does not exist there
_NUMBERS = """
read 0 63              write 1 64             open 2 -               openat 257 56          openat2 437 437
clone 56 220           clone3 435 435         fork 57 -              vfork 58 -             execve 59 221
execveat 322 281       prctl 157 167          ioctl 16 29            socketpair 53 199      kill 62 129
tkill 200 130          tgkill 234 131         rt_sigqueueinfo 129 138                       rt_tgsigqueueinfo 297 240
prlimit64 302 261      setpriority 141 140    sched_setaffinity 203 122                     sched_setattr 314 274
sched_setparam 142 118 sched_setscheduler 144 119

ptrace 101 117         process_vm_readv 310 270                      process_vm_writev 311 271
process_madvise 440 440                       process_mrelease 448 448                      perf_event_open 298 241
kcmp 312 272           pidfd_open 434 434     pidfd_getfd 438 438    pidfd_send_signal 424 424
migrate_pages 256 238  move_pages 279 239     ioprio_set 251 30

mount 165 40           umount2 166 39         move_mount 429 429     mount_setattr 442 442  open_tree 428 428
fsopen 430 430         fsconfig 431 431       fsmount 432 432        fspick 433 433         pivot_root 155 41
chroot 161 51          unshare 272 97         setns 308 268          open_by_handle_at 304 265
reboot 169 142         kexec_load 246 104     kexec_file_load 320 294                       swapon 167 224
swapoff 168 225        init_module 175 105    finit_module 313 273   delete_module 176 106  acct 163 89
settimeofday 164 170   clock_settime 227 112  adjtimex 159 171       clock_adjtime 305 266  vhangup 153 58
sethostname 170 161    setdomainname 171 162  quotactl 179 60        quotactl_fd 443 443    syslog 103 116
iopl 172 -             ioperm 173 -           bpf 321 280            userfaultfd 323 282    fanotify_init 300 262
add_key 248 217        request_key 249 218    keyctl 250 219         fanotify_mark 301 263
io_uring_setup 425 425 io_uring_enter 426 426 io_uring_register 427 427
shmget 29 194          shmat 30 196           shmctl 31 195          semget 64 190          semop 65 193
semtimedop 220 192     semctl 66 191          msgget 68 186          msgsnd 69 189          msgrcv 70 188
msgctl 71 187          mq_open 240 180        mq_unlink 241 181

chmod 90 -             fchmod 91 52           fchmodat 268 53        fchmodat2 452 452      chown 92 -
lchown 94 -            fchown 93 55           fchownat 260 54        utime 132 -            utimes 235 -
futimesat 261 -        utimensat 280 88       setxattr 188 5         lsetxattr 189 6        fsetxattr 190 7
removexattr 197 14     lremovexattr 198 15    fremovexattr 199 16

socket 41 198          connect 42 203         bind 49 200            listen 50 201          accept 43 202
accept4 288 242

unlink 87 -            unlinkat 263 35        rename 82 -            renameat 264 38        renameat2 316 276
mkdir 83 -             mkdirat 258 34         rmdir 84 -             link 86 -              linkat 265 37
symlink 88 -           symlinkat 266 36       mknod 133 -            mknodat 259 33         creat 85 -
truncate 76 45
"""
_LAST = 462  # the last call that was looked at (mseal); programs cope without newer ones

OTHER_PROCESSES = (
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease perf_event_open kcmp pidfd_open "
    "pidfd_getfd pidfd_send_signal migrate_pages move_pages ioprio_set"
).split()
THE_SYSTEM = (
    "mount umount2 move_mount mount_setattr open_tree fsopen fsconfig fsmount fspick pivot_root chroot unshare setns "
    "open_by_handle_at reboot kexec_load kexec_file_load swapon swapoff init_module finit_module delete_module acct "
    "settimeofday clock_settime adjtimex clock_adjtime vhangup sethostname setdomainname quotactl quotactl_fd syslog "
    "iopl ioperm bpf userfaultfd fanotify_init fanotify_mark add_key request_key keyctl "
    "io_uring_setup io_uring_enter io_uring_register "  # would do what the filter does not see
    "shmget shmat shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink"  # outlive us
).split()
ATTRIBUTES = (  # of files, which Landlock does not protect
    "chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes futimesat utimensat "
    "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr"
).split()
NETWORK = "socket connect bind listen accept accept4".split()
FILES = (
    "unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir link linkat symlink symlinkat mknod mknodat creat "
    "truncate"
).split()
_OPENS = (("open", 1), ("openat", 2))  # with the position of their flags
_OF_OTHERS = (  # with the arguments that must be zero: this process
    ("prlimit64", (0,)), ("sched_setaffinity", (0,)), ("sched_setattr", (0,)), ("sched_setparam", (0,)),
    ("sched_setscheduler", (0,)), ("setpriority", (0, 1)),
)  # fmt: skip
_SIGNALS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo".split()

_O_ACCMODE, _O_CREAT, _O_TRUNC = 0o3, 0o100, 0o1000  # the same on both processors
_CLONE_THREAD, _CLONE_VFORK, _CLONE_NEW = 0x10000, 0x4000, 0x7E020000
_PR_SET_PDEATHSIG = 1
_SOCK_STREAM = 1
_HARMLESS_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIO(N)CLEX


class Forks(Enum):
    """Who may create a process. Threads are always possible."""

    NOBODY = "nobody"
    WITH_KEY = "with key"  # a caller that gives the key as the fifth argument of clone()
    ASKED = "asked"  # a process of ours is asked each time
    ANYBODY = "anybody"  # where the kernel cannot ask


@dataclass(frozen=True, slots=True)
class FilterRules:
    """What depends on the case; the rest is in the tables above."""

    files: bool  # refuse all that changes files: there is no Landlock
    truncation: bool  # refuse truncation by name: Landlock is too old to do that
    signals: bool  # refuse signals to other processes: Landlock is too old to do that
    forks: Forks = Forks.NOBODY
    key: int = 0
    first_program: int = 0  # the address of the path in the one execve() that is allowed


Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, operand
_LOAD, _JUMP_EQUAL, _JUMP_GREATER, _JUMP_BITS, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of the table, number in the kernel


def is_known(machine: str = os.uname().machine) -> bool:
    return machine in _MACHINES


def assemble(rules: FilterRules, machine: str = os.uname().machine) -> bytes:
    """The filter for the kernel: `struct sock_filter` after `struct sock_filter`."""
    code, holes = _assemble_kind(replace(rules, key=0, first_program=int(rules.first_program > 0)), machine)
    filled = bytearray(code)
    for at, hole in holes:
        value = rules.key if hole in _KEY else rules.first_program
        struct.pack_into("=I", filled, at, value >> 32 if hole in (_KEY[1], _PROGRAM[1]) else value & 0xFFFFFFFF)
    return bytes(filled)


_KEY, _PROGRAM = (-1, -2), (-3, -4)  # in place of the low and the high half of a number that differs each time


@cache
def _assemble_kind(rules: FilterRules, machine: str) -> tuple[bytes, tuple[tuple[int, int], ...]]:
    """The filter with holes in place of the numbers that differ each time, and where they are."""
    column, architecture = _MACHINES[machine]
    numbers = _numbers(column)
    code: list[Instruction] = [
        (_LOAD, 0, 0, 4),
        (_JUMP_EQUAL, 1, 0, architecture),
        _refuse(errno.ENOSYS),
        (_LOAD, 0, 0, 0),
        (_JUMP_GREATER, 0, 1, _LAST),
        _refuse(errno.ENOSYS),
    ]
    blocks = sorted((numbers[name], body) for name, body in _rules(rules) if name in numbers)
    for group in _groups(blocks):
        code += group
    code.append(_answer(ALLOW))
    holes = tuple((8 * at + 4, operand) for at, (*_, operand) in enumerate(code) if operand < 0)
    return b"".join(struct.pack("=HBBI", *jumps, max(operand, 0)) for *jumps, operand in code), holes


_GROUP = 12


def _groups(blocks: Sequence[tuple[int, list[Instruction]]]) -> Iterator[list[Instruction]]:
    """Blocks in the order of their numbers. The kernel tries every call when it gets the filter, as each new process of
    a worker does: so greater numbers jump over a whole group, and blocks that are one answer share it."""
    for first in range(0, len(blocks), _GROUP):
        members = blocks[first : first + _GROUP]
        simple = [(number, body[0]) for number, body in members if len(body) == 1]
        answers = list(dict.fromkeys(answer for _, answer in simple))
        longer = [(number, body) for number, body in members if len(body) > 1]
        code = [each for number, body in longer for each in ((_JUMP_EQUAL, 0, len(body), number), *body)]
        code.append(_answer(ALLOW))
        jumps = [
            (_JUMP_EQUAL, len(simple) - at + len(code) + answers.index(answer) - 1, 0, number)
            for at, (number, answer) in enumerate(simple)
        ]
        whole = [*jumps, *code, *answers]
        yield [(_JUMP_GREATER, len(whole), 0, members[-1][0]), *whole]


def personalise(filter: bytes, process: int) -> bytes:
    """The filter for the process that installs it."""
    own = {OWN_PROCESS: process, OWN_GROUP: -process & 0xFFFFFFFF}
    code = struct.iter_unpack("=HBBI", filter)
    return b"".join(struct.pack("=HBBI", *jumps, own.get(operand, operand)) for *jumps, operand in code)


@cache
def _numbers(column: int) -> dict[str, int]:
    words = iter(_NUMBERS.split())
    rows = ((name, (next(words), next(words))[column]) for name in words)
    return {name: int(number) for name, number in rows if number != "-"}


def _rules(rules: FilterRules) -> Iterator[tuple[str, list[Instruction]]]:
    """Call -> what to do."""
    yield "clone", _clone(rules)
    yield from ((name, [_fork(rules)]) for name in ("fork", "vfork"))
    yield "clone3", [_refuse(errno.ENOSYS)]  # its flags are in memory; the library uses clone() then
    yield "execve", _is_argument(0, _PROGRAM, errno.EACCES) if rules.first_program else [_refuse_exec()]
    yield "execveat", [_refuse_exec()]
    yield from _signals() if rules.signals else ()
    yield from ((name, _are_zero(positions)) for name, positions in _OF_OTHERS)
    yield "prctl", [_load(0), (_JUMP_EQUAL, 0, 1, _PR_SET_PDEATHSIG), _refuse(errno.EPERM), _answer(ALLOW)]
    yield "ioctl", _one_of(1, _HARMLESS_IOCTLS, errno.ENOTTY)
    # other pairs of sockets can send to any address
    yield (
        "socketpair",
        [_load(1), (_AND, 0, 0, 0xF), (_JUMP_EQUAL, 0, 1, _SOCK_STREAM), _answer(ALLOW), _refuse(errno.EACCES)],
    )
    yield from ((name, [_refuse(errno.EPERM)]) for name in (*OTHER_PROCESSES, *THE_SYSTEM, *ATTRIBUTES))
    yield from ((name, [_refuse(errno.EACCES)]) for name in NETWORK)
    if rules.files:
        yield from ((name, [_refuse(errno.EACCES)]) for name in FILES)
        yield from ((name, _without_bits(at, _O_ACCMODE | _O_CREAT | _O_TRUNC)) for name, at in _OPENS)
        yield "openat2", [_refuse(errno.ENOSYS)]
    elif rules.truncation:
        yield "truncate", [_refuse(errno.EACCES)]
        yield from ((name, _no_truncation_of_read_only(at)) for name, at in _OPENS)
        yield "openat2", [_refuse(errno.ENOSYS)]


def _answer(value: int) -> Instruction:
    return _RETURN, 0, 0, value


def _refuse(number: int) -> Instruction:
    return _answer(_ERRNO | number)


def _refuse_exec() -> Instruction:
    return _refuse(errno.EACCES)


def _load(position: int, half: int = 0) -> Instruction:
    """An argument: its low half, or its high one."""
    return _LOAD, 0, 0, 16 + 8 * position + 4 * half


def _is_argument(position: int, halves: tuple[int, int], otherwise: int) -> list[Instruction]:
    low, high = halves
    return [
        _load(position),
        (_JUMP_EQUAL, 0, 3, low),
        _load(position, 1),
        (_JUMP_EQUAL, 0, 1, high),
        _answer(ALLOW),
        _refuse(otherwise),
    ]


def _one_of(position: int, values: Sequence[int], otherwise: int) -> list[Instruction]:
    choices = [each for value in values for each in ((_JUMP_EQUAL, 0, 1, value), _answer(ALLOW))]
    return [_load(position), *choices, _refuse(otherwise)]


def _are_zero(positions: Sequence[int]) -> list[Instruction]:
    checks = [each for at in positions for each in (_load(at), (_JUMP_EQUAL, 1, 0, 0), _refuse(errno.EPERM))]
    return [*checks, _answer(ALLOW)]


def _without_bits(position: int, bits: int) -> list[Instruction]:
    return [_load(position), (_JUMP_BITS, 0, 1, bits), _refuse(errno.EACCES), _answer(ALLOW)]


def _no_truncation_of_read_only(position: int) -> list[Instruction]:
    """O_TRUNC needs no right to write before Landlock knows truncation."""
    allowed = [(_JUMP_BITS, 0, 1, _O_ACCMODE), _answer(ALLOW), _refuse(errno.EACCES)]
    return [_load(position), (_JUMP_BITS, 1, 0, _O_TRUNC), _answer(ALLOW), *allowed]


def _clone(rules: FilterRules) -> list[Instruction]:
    """Threads are free. What posix_spawn() starts could only be another program."""
    start = [
        _load(0),
        (_JUMP_BITS, 0, 1, _CLONE_THREAD),
        _answer(ALLOW),
        (_JUMP_BITS, 0, 1, _CLONE_NEW),
        _refuse(errno.EPERM),
        (_JUMP_BITS, 0, 1, _CLONE_VFORK),
        _refuse(errno.EAGAIN),
    ]
    if rules.forks is Forks.WITH_KEY:
        return [*start, *_is_argument(4, _KEY, errno.EAGAIN)]
    return [*start, _fork(rules)]


def _fork(rules: FilterRules) -> Instruction:
    answers = {Forks.ASKED: _answer(NOTIFY), Forks.ANYBODY: _answer(ALLOW)}
    return answers.get(rules.forks, _refuse(errno.EAGAIN))


def _signals() -> Iterator[tuple[str, list[Instruction]]]:
    own = (OWN_PROCESS, 0, OWN_GROUP)
    yield from ((name, _one_of(0, own if name == "kill" else own[:1], errno.EPERM)) for name in _SIGNALS)
