"""Runs a built test program, which is unknown C: contained (running/containment.py), with limits on time, memory,
output and processes.

    us ──start──▶ guard ──starts──▶ program ──may start──▶ others
     └── a pipe that closes when we are gone ──▶ guard, which then ends everything

The guard is a forked process that waits. Processes that the program leaves behind become children of the guard, even in
another process group. So none of them outlives the guard. It also decides, each time, whether the program may fork.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import resource
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.running.containment import (
    MOST_PROCESSES,
    become,
    close_all_but,
    enter,
    find_powers,
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


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended. `status` is negative when a signal ended it."""

    status: int
    output: str
    was_stopped: bool = False  # by the time limit


def run_program(
    command: Sequence[str | Path],
    folder: Path,
    limits: Limits,
    further: Mapping[str, str] | None = None,
    kept: Sequence[int] = (),
) -> Ended:
    """Run C of the user's, contained: it reads files, but changes only those of `limits`. Standard error is ignored;
    standard output is cut at the limit. Whatever it started ends with it. `further` is added to the environment; the
    descriptors in `kept` stay open."""
    words = [str(word) for word in command]
    words[0] = shutil.which(words[0]) or words[0]
    if limits.temporary:
        limits = replace(limits, writable=(*limits.writable, limits.temporary))
    entrance = _Entrance(words, {**os.environ, **limits.environment, **(further or {})}, limits, kept)
    with contextlib.closing(entrance):
        return _run(words, folder, limits, entrance)


def run_tool(command: Sequence[str | Path], folder: Path, limits: Limits) -> Ended:
    """The same for a program that we trust, such as a compiler, which runs further ones: it is not contained."""
    return _run([str(word) for word in command], folder, limits, None)


def _run(words: Sequence[str], folder: Path, limits: Limits, entrance: _Entrance | None) -> Ended:
    with tempfile.TemporaryFile() as output, _life_line() as life:
        process = subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _leave_guard(limits, life, entrance),
        )
        try:
            was_stopped = False
            process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            was_stopped = True
        finally:
            _stop(process)
        output.seek(0)
        text = output.read(limits.output).decode("utf-8", errors="replace")
    return Ended(process.returncode, text, was_stopped)


@contextlib.contextmanager
def _life_line() -> Iterator[int]:
    """The end of a pipe that can be read when we are gone."""
    life, ours = os.pipe()
    try:
        yield life
    finally:
        os.close(ours)
        os.close(life)


# -- in the new process, before it becomes the program


class _Entrance:
    """How a process becomes the program, contained. What needs memory is prepared before there is a new process."""

    def __init__(
        self, words: Sequence[str], environment: Mapping[str, str], limits: Limits, kept: Sequence[int]
    ) -> None:
        powers = find_powers()
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


def _leave_guard(limits: Limits, life: int, entrance: _Entrance | None) -> None:
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
    seconds = int(limits.seconds) + 1
    for kind, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_FSIZE, limits.output),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (ceiling, ceiling))


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


# -- the end


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the guard and all its descendants. Those outside its process group are found first, while it is alive."""
    if process.poll() is None:
        end_descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# -- orphaned processes: their new parent can find and end them, in any process group

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *words: 0)


def adopt_orphans() -> None:
    """Make orphans among our descendants our children, if the system supports that."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_descendants(process: int) -> None:
    """End all descendants of this process, if the system can list them, and those that they create meanwhile."""
    ended: set[int] = set()
    while fresh := set(_descendants(process)) - ended:
        for each in fresh:
            with contextlib.suppress(OSError):
                os.kill(each, signal.SIGKILL)
        ended |= fresh


def _descendants(process: int) -> list[int]:
    try:
        children = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (OSError, ValueError):
        return []
    return children + [below for child in children for below in _descendants(child)]
