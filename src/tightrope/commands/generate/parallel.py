"""Works on several functions in parallel, each in its own process. Ctrl-C ends the running searches, which still return
their results; functions that have not begun are skipped.

The processes ignore interrupts of the terminal, which could come at any moment. The main process forwards the signal
once, and they handle it only while they work.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from tightrope.commands.generate.interrupts import listen_to
from tightrope.running.session import join_session

Result = TypeVar("Result")
_is_working = False


def run_parallel(work: Callable[..., Result], jobs: Sequence[tuple[Any, ...]], processes: int) -> Iterator[Result]:
    """`work(*job)` for each job, in order; without jobs that an interrupt skipped."""
    given = (tempfile.gettempdir(),)
    with ProcessPoolExecutor(min(processes, len(jobs)), get_context("spawn"), _prepare, given) as pool:
        futures = [pool.submit(_begin, work, job) for job in jobs]
        with _passing_on(futures):
            for future in futures:
                result = None if future.cancelled() else future.result()
                if result is not None:
                    yield result


# -- in our process


@contextmanager
def _passing_on(futures: Sequence[Future[Any]]) -> Iterator[None]:
    """The first interrupt is forwarded; the next one ends this process."""

    def pass_on(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        for future in futures:
            future.cancel()
        for child in active_children():
            with suppress(OSError):
                if child.pid:
                    os.kill(child.pid, signal.SIGUSR1)

    before = signal.signal(signal.SIGINT, pass_on)
    try:
        yield
    except KeyboardInterrupt:
        for child in active_children():
            child.terminate()
        raise
    finally:
        signal.signal(signal.SIGINT, before)


# -- in the others


def _prepare(folder: str) -> None:
    join_session(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, _interrupt)
    listen_to(signal.SIGUSR1)


def _interrupt(number: int, frame: object) -> None:
    if _is_working:
        raise KeyboardInterrupt


def _begin(work: Callable[..., Result], job: tuple[Any, ...]) -> Result | None:
    global _is_working
    _is_working = True
    try:
        return work(*job)
    except KeyboardInterrupt:
        return None
    finally:
        _is_working = False
