"""Run one command of the toolchain to its end: no shell, no input, a time limit, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finished:
    """How the command ended. `status` is negative when a signal ended it."""

    status: int
    output: str
    messages: str  # what it wrote to stderr
    was_stopped: bool = False  # by the time limit


def run_command(
    command: Sequence[str],
    *,
    time_limit: float,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Raises OSError when the command cannot be started.

    The command leads a process group of its own, because a compiler driver starts further
    processes, and all of them must end with it: at the time limit and at Ctrl-C.
    """
    process = subprocess.Popen(
        list(command),
        cwd=folder,
        env=None if environment is None else dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        try:
            output, messages = process.communicate(timeout=time_limit)
        except subprocess.TimeoutExpired:
            _stop(process)
            output, messages = process.communicate()
            return Finished(process.returncode, _text(output), _text(messages), was_stopped=True)
        except BaseException:
            _stop(process)
            raise
    return Finished(process.returncode, _text(output), _text(messages))


def _stop(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # already gone, or no process groups on this system
        process.kill()


def _text(written: bytes) -> str:
    return written.decode("utf-8", errors="replace")
