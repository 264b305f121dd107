"""Run a built test program: somebody's C, so with limits on time, memory and output, in its own folder.

    us ──start──▶ guard ──starts──▶ program ──may start──▶ others

The guard is a fork of ours that waits: the program's parent is not us, and what the program leaves behind becomes
the guard's child, wherever it has moved to. So nothing of it outlives the guard.
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
    """Fork once more: the child returns and becomes the program, the parent waits, and ends as it ended."""
    program = os.fork()
    if program == 0:
        _limit(limits)
        return
    os.closerange(3, 4096)  # so that whoever started us sees that the program runs
    adopt_orphans()
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    end_descendants(os.getpid())
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):  # a signal that cannot be set needs not be
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status if status >= 0 else 1)


def _limit(limits: Limits) -> None:
    """Soft and hard limits that the program cannot lift."""
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
    """End the guard and everything below it. What has left the group is found first, while the guard holds it."""
    if process.poll() is None:
        end_descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# -- processes that lose their parent: whoever adopts them can find and end them, wherever they have moved to

PR_SET_CHILD_SUBREAPER = 36
_prctl = getattr(ctypes.CDLL(None), "prctl", lambda *words: 0)


def adopt_orphans() -> None:
    """From now on, orphans among our descendants become our children. Where the system cannot do that, they do not."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_descendants(process: int) -> None:
    """End all processes below this one, where the system can tell which they are."""
    for each in _descendants(process):
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    try:
        children = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except (OSError, ValueError):
        return []
    return children + [below for child in children for below in _descendants(child)]
