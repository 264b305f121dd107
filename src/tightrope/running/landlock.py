"""Landlock: a process gives up rights to change files, for itself and its descendants, without being privileged.

What exists depends on the version of the interface (its *ABI*), which the kernel tells. Reading is not restricted here.
https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, the same on every processor
_ASK_VERSION = 1
_BENEATH_PATH = 1

# rights that are given up: the name in the kernel, its bit, the version that has it
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_RIGHTS = (
    (_WRITE_FILE, 1),
    (1 << 4, 1),  # REMOVE_DIR
    (1 << 5, 1),  # REMOVE_FILE
    (1 << 6, 1),  # MAKE_CHAR
    (1 << 7, 1),  # MAKE_DIR
    (1 << 8, 1),  # MAKE_REG
    (1 << 9, 1),  # MAKE_SOCK
    (1 << 10, 1),  # MAKE_FIFO
    (1 << 11, 1),  # MAKE_BLOCK
    (1 << 12, 1),  # MAKE_SYM
    (1 << 13, 2),  # REFER: into another folder; version 1 always forbids it
    (_TRUNCATE, 3),
    (1 << 15, 5),  # IOCTL_DEV
)
_OF_FILES = _WRITE_FILE | _TRUNCATE
_TCP = 0b11  # BIND_TCP, CONNECT_TCP
_TCP_SINCE, SCOPES_SINCE = 4, 6
_SCOPES = 0b11  # ABSTRACT_UNIX_SOCKET, SIGNAL: only to processes that have given up the same
KNOWS_TRUNCATE_SINCE = 3

DEVICES = ("/dev/null", "/dev/zero", "/dev/full")  # what is written there goes nowhere

libc = ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *words: int) -> int:
    """The answer of the kernel; -1 if it refuses, and ctypes.get_errno() says why."""
    call = libc.syscall
    call.restype = ctypes.c_long
    return int(call(ctypes.c_long(number), *(ctypes.c_long(word) for word in words)))


@cache
def find_version() -> int:
    """The ABI version of this kernel; 0 if it has no Landlock."""
    if not hasattr(libc, "syscall") or not Path("/proc/self").exists():
        return 0
    return max(system_call(CREATE_RULESET, 0, 0, _ASK_VERSION), 0)


def create_ruleset(version: int, writable: Iterable[Path]) -> int:
    """A descriptor of the rules: nothing can be changed except below these paths. Raises OSError."""
    rights = sum(bit for bit, since in _RIGHTS if since <= version)
    words = [rights, _TCP, _SCOPES][: 1 + (version >= _TCP_SINCE) + (version >= SCOPES_SINCE)]
    attributes = ctypes.create_string_buffer(struct.pack(f"={len(words)}Q", *words), 8 * len(words))
    ruleset = system_call(CREATE_RULESET, ctypes.addressof(attributes), len(attributes), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "the kernel refuses to create a Landlock ruleset")
    os.set_inheritable(ruleset, False)
    for path in (*writable, *map(Path, DEVICES)):
        _allow(ruleset, path, rights)
    return ruleset


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights if path.is_dir() else rights & _OF_FILES
            rule = ctypes.create_string_buffer(struct.pack("=Qi", allowed, descriptor), 12)
            if system_call(ADD_RULE, ruleset, _BENEATH_PATH, ctypes.addressof(rule), 0):
                raise OSError(ctypes.get_errno(), "the kernel refuses a Landlock rule", str(path))
        finally:
            os.close(descriptor)


def restrict_self(ruleset: int) -> None:
    """From now on, the rules hold for this process and its descendants. Needs `no_new_privs`."""
    if system_call(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "the kernel refuses to apply Landlock")
