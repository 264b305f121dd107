"""Processor time of a command and of everything that it starts: on a machine with other work, it says more than the
clock does."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    wall: float
    processor: float  # user and system, of all processes
    status: int | None  # None: it was stopped


def measure_command(words: Sequence[str], environment: Mapping[str, str] | None = None, limit: float = 600.0) -> Cost:
    before, start, status = _children(), time.perf_counter(), None
    try:
        done = subprocess.run(words, env=environment, capture_output=True, check=False, timeout=limit)
        status = done.returncode
    except subprocess.TimeoutExpired:
        pass
    return Cost(time.perf_counter() - start, _children() - before, status)


def _children() -> float:
    """Of processes that have ended, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def used_below() -> float:
    """Seconds of all processors below this process, which also gets those whose parents have ended (a *subreaper*)."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    until = time.monotonic() + _TO_END
    with suppress(ChildProcessError):
        while time.monotonic() < until:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.02)
    return _children()


_PR_SET_CHILD_SUBREAPER = 36
_TO_END = 5.0  # seconds for what is left of a command


def used_by(process: int) -> float:
    """Seconds on a processor of a process that still runs, with those of its children, also of ended ones; 0 if it has
    ended, or where the system does not say."""
    folder = Path(f"/proc/{process}")
    try:
        own = int((folder / "schedstat").read_text(encoding="ascii").split()[0]) / 1e9
        ended = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[13:15]
        children = (folder / f"task/{process}/children").read_text(encoding="ascii").split()
    except (OSError, IndexError, ValueError):
        return 0.0
    return own + sum(map(int, ended)) / os.sysconf("SC_CLK_TCK") + sum(used_by(int(each)) for each in children)
