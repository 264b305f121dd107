"""Runs a built test program, which is unknown C: with limits on time, memory and output, in its own folder.

    us ──start──▶ guard ──starts──▶ program ──may start──▶ others

The guard is a forked process that waits. Processes that the program leaves behind become children of the guard, even in
another process group. So none of them outlives the guard.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = 10.0
    memory: int = 1 << 30  # bytes of address space
    output: int = 1 << 26  # bytes that are read of what it prints, and that it may write to a file


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended. `status` is negative when a signal ended it."""

    status: int
    output: str
    was_stopped: bool = False  # by the time limit


def run_program(
    command: Sequence[str | Path], folder: Path, limits: Limits, further: Mapping[str, str] | None = None
) -> Ended:
    """Standard error is thrown away; standard output is cut at the limit. Whatever it started ends with it. `further`
    is added to the environment."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            env={**os.environ, **further} if further else None,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _leave_guard(limits),
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


# -- in the new process, before it becomes the program


def _leave_guard(limits: Limits) -> None:
    """Fork again: the child returns and becomes the program; the parent waits, and ends with the same status."""
    program = os.fork()
    if program == 0:
        _limit(limits)
        return
    os.closerange(3, 4096)  # so that the starting process sees that the program runs
    adopt_orphans()
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
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


# -- the end


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the guard and all its descendants. Those outside its process group are found first, while it is alive."""
    if process.poll() is None:
        end_descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# -- orphaned processes: their new parent can find and end them, in any process group

PR_SET_CHILD_SUBREAPER = 36
_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *words: 0)


def adopt_orphans() -> None:
    """Make orphans among our descendants our children, if the system supports that."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_descendants(process: int) -> None:
    """End all descendants of this process, if the system can list them."""
    for each in _descendants(process):
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    try:
        children = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (OSError, ValueError):
        return []
    return children + [below for child in children for below in _descendants(child)]
