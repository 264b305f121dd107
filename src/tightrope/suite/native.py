"""Runs a built test program, which is unknown C: contained (running/containment.py), with limits on time, memory,
output and processes.

    us ──start──▶ guard ──starts──▶ program ──may start──▶ others
     └── a pipe that closes when we are gone ──▶ guard, which then ends everything

The first guards are forked by this process, later ones by a small process (guard_nursery.py): a campaign has hundreds.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.running.containment import find_powers
from tightrope.suite.guard import Entrance, Limits, end_descendants, leave_guard, limit_another
from tightrope.suite.guard_nursery import GUARDS, Order


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
    environment = {**os.environ, **limits.environment, **(further or {})}
    if not kept and GUARDS.pays:
        ended = _run_apart(Order(words, environment, folder.absolute(), limits, find_powers()))
        if ended is not None:
            return ended
    entrance = Entrance(words, environment, limits, kept, find_powers())
    with contextlib.closing(entrance):
        return _run(words, folder, limits, entrance)


def _run_apart(order: Order) -> Ended | None:
    """By a guard that somebody else forks; None if nobody could."""
    with tempfile.TemporaryFile() as output, _life_line() as life:
        guard = GUARDS.start(order, output.fileno(), life)
        if guard is None:
            return None
        try:
            was_stopped = not guard.has_ended_within(order.limits.seconds)
        finally:
            status = guard.stop()
        output.seek(0)
        text = output.read(order.limits.output).decode("utf-8", errors="replace")
    return Ended(status, text, was_stopped)


def run_tool(command: Sequence[str | Path], folder: Path, limits: Limits) -> Ended:
    """The same for a program that we trust, such as a compiler, which runs further ones: it is not contained."""
    return _run([str(word) for word in command], folder, limits, None)


def run_tool_alone(command: Sequence[str | Path], folder: Path, limits: Limits) -> Ended:
    """The same for one that is soon done and starts no further processes: without a guard. To fork one, this process is
    copied, and the guard again, which takes longer than a small program."""
    return _run([str(word) for word in command], folder, limits, None, is_guarded=not hasattr(resource, "prlimit"))


def _run(
    words: Sequence[str], folder: Path, limits: Limits, entrance: Entrance | None, *, is_guarded: bool = True
) -> Ended:
    with tempfile.TemporaryFile() as output, _life_line() as life:
        process = subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=(lambda: leave_guard(limits, life, entrance)) if is_guarded else None,
        )
        try:
            was_stopped = False
            if not is_guarded:
                limit_another(limits, process.pid)
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


# -- the end


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the guard and all its descendants. Those outside its process group are found first, while it is alive."""
    if process.poll() is None:
        end_descendants(process.pid)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
