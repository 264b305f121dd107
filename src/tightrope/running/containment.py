"""What code under test may not do to the world: somebody's C runs here with values that a solver chose.

    files        read everywhere, changed only in a folder of its own and in those of --allow-files  Landlock
    processes    a few, which end with the run; no other programs; no signals to others              seccomp, Landlock
    network      none                                                                                seccomp
    the system   mounts, clock, modules, tracing, attributes of files ...: nothing                   seccomp

This module says what a system offers, and prepares it. It takes effect in the process that is going to run the code:
the worker's is forked in C (runtime/contain.c), test programs are started by suite/native.py, which calls `enter`. What
is given up is given up for ever, and by all descendants.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import secrets
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tightrope.running import landlock
from tightrope.running.landlock import libc, system_call
from tightrope.running.syscall_filter import ALLOW, NOTIFY, FilterRules, Forks, assemble, is_known, personalise

MOST_PROCESSES = 64  # of one run, or of one test program, at a time

_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP, _CAPSET = {"x86_64": (317, 126), "aarch64": (277, 91)}.get(os.uname().machine, (0, 0))
_SET_FILTER, _ASK_ACTION, _WITH_LISTENER = 1, 2, 1 << 3
_KEPT_CAPABILITIES = 0b110  # of root: to read and write files of others, where Landlock allows it


@dataclass(frozen=True, slots=True)
class Powers:
    """What a system offers to contain a process."""

    landlock: int = 0  # the version of its interface; 0: none
    seccomp: bool = False
    asks: bool = False  # a filter can ask another process

    @property
    def scopes_signals(self) -> bool:
        return self.landlock >= landlock.SCOPES_SINCE

    @property
    def has_own_folder(self) -> bool:
        """Whether contained code can write anywhere at all."""
        return bool(self.landlock) or not self.seccomp


@cache
def find_powers() -> Powers:
    """Those of this system."""
    if sys.platform != "linux":
        return Powers()
    return Powers(landlock.find_version(), is_known() and _has_action(ALLOW), is_known() and _has_action(NOTIFY))


def _has_action(action: int) -> bool:
    word = ctypes.c_uint32(action)
    return system_call(_SECCOMP, _ASK_ACTION, 0, ctypes.addressof(word)) == 0


def describe_powers(powers: Powers) -> str:
    """One line for people."""
    if powers.landlock and powers.seccomp:
        rest = "" if powers.scopes_signals else "; it is older than version 6, so seccomp limits signals, too"
        return f"Landlock {powers.landlock} and seccomp contain the code under test{rest}"
    if powers.seccomp:
        return "this kernel has no Landlock: seccomp contains the code under test, which can write no files at all"
    if powers.landlock:
        return f"Landlock {powers.landlock} protects files; nothing prevents network, programs and signals here"
    return "nothing contains the code under test on this system: it can change your files and reach the network"


# -- what is prepared by a process that is not contained


@dataclass(frozen=True, slots=True)
class Containment:
    """Prepared rules. `ruleset` is a descriptor, or -1; `filter` is empty where there is no seccomp."""

    powers: Powers
    ruleset: int
    filter: bytes
    key: int = 0  # see Forks.WITH_KEY


def prepare_containment(
    powers: Powers, writable: Sequence[Path], forks: Forks = Forks.NOBODY, first_program: int = 0
) -> Containment:
    """`first_program`: the address of its path, if the process is to become that program."""
    ruleset = landlock.create_ruleset(powers.landlock, writable) if powers.landlock else -1
    if not powers.seccomp:
        return Containment(powers, ruleset, b"")
    key = secrets.randbits(64) if forks is Forks.WITH_KEY else 0
    rules = FilterRules(
        files=not powers.landlock,
        truncation=powers.landlock < landlock.KNOWS_TRUNCATE_SINCE,
        signals=not powers.scopes_signals,
        forks=forks,
        key=key,
        first_program=first_program,
    )
    return Containment(powers, ruleset, assemble(rules), key)


# -- in the process that is to be contained


def enter(containment: Containment, *, with_listener: bool = False) -> int:
    """Contain this process, which has one thread. Returns the descriptor of the listener, which hears of calls that are
    to be asked about; else 0. Raises OSError, and then the process must not run foreign code."""
    if containment.powers == Powers():
        return 0
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if containment.ruleset >= 0:
        landlock.restrict_self(containment.ruleset)
    if not containment.filter:
        return 0
    _drop_capabilities()
    code = ctypes.create_string_buffer(personalise(containment.filter, os.getpid()), len(containment.filter))
    program = ctypes.create_string_buffer(struct.pack("=H6xQ", len(code) // 8, ctypes.addressof(code)), 16)
    flags = _WITH_LISTENER if with_listener else 0
    found = system_call(_SECCOMP, _SET_FILTER, flags, ctypes.addressof(program))
    if found < 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses the filter of system calls")
    return found


def _drop_capabilities() -> None:
    """Root could otherwise raise its limits. For others, there is nothing to drop."""
    if os.geteuid():
        return
    head = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0), 8)  # version 3, this process
    kept = (_KEPT_CAPABILITIES, _KEPT_CAPABILITIES, 0)  # effective, permitted, inheritable; then those above 31
    sets = ctypes.create_string_buffer(struct.pack("=6I", *kept, 0, 0, 0), 24)
    system_call(_CAPSET, ctypes.addressof(head), ctypes.addressof(sets))


def become(path: ctypes.Array[ctypes.c_char], words: ctypes.Array[Any], environment: ctypes.Array[Any]) -> None:
    """Turn into the program whose path lies at the address that the filter allows. Returns only if that fails."""
    libc.execve(path, words, environment)


def close_all_but(*kept: int) -> None:
    """Hide descriptors that foreign code could use, such as the file of the shared memory. A negative one is none."""
    edges = [2, *sorted(each for each in kept if each > 2), 4096]
    for low, high in itertools.pairwise(edges):
        os.closerange(low + 1, high)


class InC(ctypes.Structure):
    """The same for the runtime: `containment` in runtime/runtime.h."""

    _fields_ = (
        ("ruleset", ctypes.c_int),
        ("length", ctypes.c_uint32),
        ("filter", ctypes.c_char_p),
        ("key", ctypes.c_uint64),
        ("folder", ctypes.c_char_p),
        ("most_processes", ctypes.c_uint32),
    )

    @classmethod
    def of(cls, containment: Containment, folder: Path) -> InC:
        code = containment.filter
        return cls(containment.ruleset, len(code) // 8, code, containment.key, os.fsencode(folder), MOST_PROCESSES)
