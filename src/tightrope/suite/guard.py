"""What stands between us and a test program, which is unknown C: the guard, a forked process that waits.

Processes that the program leaves behind become children of the guard, even in another process group. So none of them
outlives the guard. It also decides, each time, whether the program may fork. It ends everything if its starter is gone.
Who starts it: suite/native.py, or a small process that forks quickly (suite/guard_nursery.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import resource
import select
import signal
import socket
import struct
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.running.containment import (
    MOST_PROCESSES,
    Powers,
    become,
    close_all_but,
    enter,
    prepare_containment,
)
from tightrope.running.syscall_filter import Forks


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = 10.0
    memory: int = 1 << 30  # bytes of address space
    output: int = 1 << 26  # bytes that are read of what it prints, and that it may write to a file
    writable: tuple[Path, ...] = ()  # files and folders that it may change
    temporary: Path | None = None  # a folder that it may change and that it finds by TMPDIR or TEMP

    @property
    def environment(self) -> dict[str, str]:
        """Where temporary files go; Check asks for TEMP, others for TMPDIR."""
        return dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self.temporary)) if self.temporary else {}


DEFAULT_LIMITS = Limits()


# -- in the new process, before it becomes the program


class Entrance:
    """How a process becomes the program, contained. What needs memory is prepared before there is a new process."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        limits: Limits,
        kept: Sequence[int],
        powers: Powers,
    ) -> None:
        self.path = ctypes.create_string_buffer(os.fsencode(words[0]))
        self.words = _texts(words)
        self.environment = _texts(f"{name}={value}" for name, value in environment.items())
        self.kept = tuple(kept)
        path = ctypes.addressof(self.path)
        self.containment = prepare_containment(powers, limits.writable, Forks.ANYBODY, path)
        self.asking = prepare_containment(powers, limits.writable, Forks.ASKED, path) if powers.asks else None

    def close(self) -> None:
        for each in (self.containment, self.asking):
            if each is not None and each.ruleset >= 0:
                os.close(each.ruleset)

    def pass_through(self, to_guard: socket.socket) -> None:
        """Never returns."""
        status = NOT_STARTED
        try:
            socket.send_fds(to_guard, [b"l"], self._contain())
            close_all_but(*self.kept)
            for each in self.kept:
                os.set_inheritable(each, True)
            become(self.path, self.words, self.environment)
        finally:
            os._exit(status)

    def _contain(self) -> list[int]:
        """Contain this process; the descriptor of the listener, if there is one."""
        if self.asking is not None:
            with contextlib.suppress(OSError):  # somebody listens already: we are in a container
                return [enter(self.asking, with_listener=True)]
        _limit_processes()
        enter(self.containment)
        return []


NOT_STARTED = 126  # the status of a process that could not become the program


def _texts(words: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    """As C wants them: with NULL at the end."""
    texts = [os.fsencode(word) for word in words]
    return (ctypes.c_char_p * (len(texts) + 1))(*texts, None)


def leave_guard(limits: Limits, life: int, entrance: Entrance | None) -> None:
    """Fork again: the child becomes the program; the parent waits, and ends with the same status."""
    ours, theirs = socket.socketpair()
    program = os.fork()
    if program == 0:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.setpgid(0, 0)  # so that a signal to its group does not reach the guard
        _limit(limits)
        if entrance is not None:
            entrance.pass_through(theirs)
        return
    adopt_orphans()
    theirs.close()
    listener = _receive_listener(ours) if entrance is not None else -1
    close_all_but(life, listener)  # so our starter sees that the program runs
    status = _watch(program, life, listener)
    end_descendants(os.getpid())
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):  # signals that cannot be set do not matter
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status if status >= 0 else 1)


def _limit(limits: Limits) -> None:
    """Set soft and hard limits, which the program cannot raise."""
    for kind, value in _values(limits):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, _both(value, hard))


def limit_another(limits: Limits, process: int) -> None:
    for kind, value in _values(limits):
        with contextlib.suppress(OSError):  # it has ended
            _, hard = resource.prlimit(process, kind)
            resource.prlimit(process, kind, _both(value, hard))


def _values(limits: Limits) -> Iterator[tuple[int, int]]:
    yield resource.RLIMIT_CPU, int(limits.seconds) + 1
    yield resource.RLIMIT_AS, limits.memory
    yield resource.RLIMIT_FSIZE, limits.output
    yield resource.RLIMIT_CORE, 0


def _both(value: int, hard: int) -> tuple[int, int]:
    ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
    return ceiling, ceiling


def _limit_processes() -> None:
    """Where nobody is asked: a limit on the processes of the user, which does not bind root."""
    mine = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            mine += len(os.listdir(folder / "task")) if folder.stat().st_uid == os.getuid() else 0
    if mine and hasattr(resource, "RLIMIT_NPROC"):
        _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        most = mine + MOST_PROCESSES
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most) if hard < 0 or hard > most else (hard, hard))


# -- in the guard

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # requests to the listener of a filter: SECCOMP_IOCTL_NOTIF_...
_CONTINUE = 1
_TICK = 10  # milliseconds, where the system cannot tell when the program ends


def _receive_listener(link: socket.socket) -> int:
    """The descriptor; -1 if there is none, or the program died before it could send it."""
    _, descriptors, _, _ = socket.recv_fds(link, 1, 1)
    return descriptors[0] if descriptors else -1


def _watch(program: int, life: int, listener: int) -> int:
    """Wait for the end of the program, and return its status. Everything ends if our starter is gone."""
    poll = select.poll()
    handle = os.pidfd_open(program) if hasattr(os, "pidfd_open") else -1
    for each in (life, listener, handle):
        if each >= 0:
            poll.register(each, select.POLLIN)
    room = 0
    while True:
        ready = dict(poll.poll(None if handle >= 0 else _TICK))
        if life in ready:
            end_descendants(os.getpid())
            os._exit(1)
        if ready.get(listener, 0) & select.POLLIN:
            room = _answer_fork(listener, room)
        elif listener in ready:
            poll.unregister(listener)
        done, status = os.waitpid(program, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)


def _answer_fork(listener: int, room: int) -> int:
    """Somebody wants another process. `room`: for so many there is room, at least; they are counted only at 0."""
    room = room or max(MOST_PROCESSES - len(_descendants(os.getpid())), 0)
    question = bytearray(80)
    with contextlib.suppress(OSError):  # it has died in the meantime
        fcntl.ioctl(listener, _RECEIVE, question)
        answer = (0, _CONTINUE) if room else (-errno.EAGAIN, 0)
        fcntl.ioctl(listener, _SEND, struct.pack("=8sqiI", bytes(question[:8]), 0, *answer))
    return max(room - 1, 0)


# -- orphaned processes: their new parent can find and end them, in any process group

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *words: 0)


def adopt_orphans() -> None:
    """Make orphans among our descendants our children, if the system supports that."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_descendants(process: int) -> None:
    """End all descendants of this process, if the system can list them, and those that they create meanwhile. Returns
    when they have ended: a signal alone may take effect later, on a busy machine. Then they are listed again: a list
    that is read while a parent ends may lack its children."""
    killed: set[int] = set()
    while _kill_descendants(process, killed):
        pass


def _kill_descendants(process: int, killed: set[int]) -> bool:
    """Kill those that are not among `killed`, add them, and wait for their end. False: there were none."""
    before = len(killed)
    with contextlib.ExitStack() as handles:
        ends: set[int] = set()
        while fresh := set(_descendants(process)) - killed:
            for each in fresh:
                with contextlib.suppress(OSError):  # it has ended already
                    if hasattr(os, "pidfd_open"):
                        ends.add(handle := os.pidfd_open(each))
                        handles.callback(os.close, handle)
                    os.kill(each, signal.SIGKILL)
            killed |= fresh
        _wait_for(ends)
    return len(killed) > before


MOST_SECONDS_TO_END = 10.0  # for processes that were killed: one that waits for a device cannot end


def _wait_for(ends: set[int]) -> None:
    """Until each of them can be read."""
    poll = select.poll()
    for each in ends:
        poll.register(each, select.POLLIN)
    limit, rest = time.monotonic() + MOST_SECONDS_TO_END, MOST_SECONDS_TO_END
    while ends and rest > 0:
        for ended, _ in poll.poll(1000 * rest):
            poll.unregister(ended)
            ends.remove(ended)
        rest = limit - time.monotonic()


def _descendants(process: int) -> list[int]:
    try:
        children = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (OSError, ValueError):
        return []
    return children + [below for child in children for below in _descendants(child)]
