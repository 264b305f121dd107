"""Run a built test program: somebody's C, so with limits on time, memory and output, in its own folder."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = 10.0
    memory: int = 1 << 30  # bytes of address space
    output: int = 1 << 20  # bytes that are read of what it prints, and that it may write to a file


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended. `status` is negative when a signal ended it."""

    status: int
    output: str
    was_stopped: bool = False  # by the time limit


def run_program(command: Sequence[str | Path], folder: Path, limits: Limits) -> Ended:
    """Standard error is thrown away; standard output is cut at the limit. Whatever it started ends with it."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _limit(limits),
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


def _limit(limits: Limits) -> None:
    """In the new process: soft and hard limits that the program cannot lift."""
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


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the whole group: the program may have started others."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
