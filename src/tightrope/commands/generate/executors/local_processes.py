"""Processes of this machine, each with one job at a time.

A job whose process dies is given to another one; the second time, it is reported as lost. Ctrl-C ends the running
searches; those that return their results soon are kept, the processes of the others are ended. Jobs that have not begun
are skipped. The processes ignore interrupts of the terminal, which could come at any moment: the main process forwards
the signal once, and they handle it only while they work. One that has become large ends after a job, and a new one
takes its place.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from tightrope.commands.generate.executors.executor import (
    MOST_TRIES,
    JobDone,
    Result,
    Results,
    ServiceLife,
    Work,
    say_lost,
)
from tightrope.commands.generate.executors.interrupts import grace, listen_to, on_first_interrupt
from tightrope.commands.generate.executors.waiting import Group, Waiting
from tightrope.running.job_nursery import JobNursery, JobProcess

_is_working = False
_LOOK = 0.1  # seconds after which the main process looks whether it was interrupted


@dataclass(slots=True)
class _Helper:
    process: JobProcess
    connection: Connection
    number: int = -1  # of its job
    group: Group = None  # of its last job

    @property
    def is_idle(self) -> bool:
        return self.number < 0

    def end(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.join()


@dataclass(frozen=True, slots=True)
class _Answer:
    result: Any = None
    failure: str = ""
    is_done: bool = True  # False: an interrupt ended it


class LocalProcesses:
    def __init__(self, processes: int) -> None:
        self._most = processes
        self._helpers: list[_Helper] = []
        self._waiting = Waiting(0)
        self._groups: list[Group] = []  # of processes that became too large: their successors go on with them
        self._end = math.inf  # after an interrupt: when processes that still work are ended

    def opened(self) -> AbstractContextManager[int]:
        return nullcontext(self._most)

    def run(
        self, work: Work[Result], jobs: Sequence[tuple[Any, ...]], groups: Sequence[Hashable] = ()
    ) -> Results[Result]:
        self._waiting = Waiting(len(jobs), groups)
        deaths: Counter[int] = Counter()
        with on_first_interrupt(self._pass_on):
            try:
                while self._hand_out(work, jobs) and time.monotonic() < self._end:
                    for helper in self._ready():
                        done = self._take(helper, deaths)
                        if done is not None:
                            self._hand_out(work, jobs)  # nobody waits while the result is kept
                            yield done
            finally:
                for helper in self._helpers:
                    helper.end()
                self._helpers.clear()
                self._groups.clear()

    def _hand_out(self, work: Work[Result], jobs: Sequence[tuple[Any, ...]]) -> bool:
        """Give jobs to helpers that have none; False if nobody works any more."""
        while self._waiting:
            helper = next((each for each in self._helpers if each.is_idle), None)
            if helper is None and len(self._helpers) == self._most:
                break
            if helper is None:
                helper = _start(work)
                helper.group = self._groups.pop() if self._groups else None
                self._helpers.append(helper)
            helper.number = self._choose(helper)
            with suppress(OSError):  # it is dead: noticed when it is asked
                helper.connection.send((work, jobs[helper.number]))
        return any(not helper.is_idle for helper in self._helpers)

    def _choose(self, helper: _Helper) -> int:
        others = [each.group for each in self._helpers if each is not helper and not each.is_idle]
        number = self._waiting.take(helper.group, others)
        helper.group = self._waiting.group(number)
        return number

    def _ready(self) -> list[_Helper]:
        busy = {helper.connection: helper for helper in self._helpers if not helper.is_idle}
        return [busy[each] for each in wait(list(busy), _LOOK) if isinstance(each, Connection)]

    def _take(self, helper: _Helper, deaths: Counter[int]) -> JobDone[Any] | None:
        """The result of a helper; None if the job is tried again, or an interrupt ended it."""
        number, helper.number = helper.number, -1
        try:
            content, is_last = pickle.loads(helper.connection.recv_bytes())
        except (EOFError, OSError):
            self._helpers.remove(helper)
            helper.end()
            deaths[number] += 1
            if self._end < math.inf:
                return None
            if deaths[number] < MOST_TRIES:
                self._waiting.put_back(number)
                return None
            return JobDone(number, None, say_lost(_ending(helper.process)))
        answer: _Answer = pickle.loads(content)
        if is_last:
            self._helpers.remove(helper)
            helper.end()
            self._groups.append(helper.group)
        return JobDone(number, answer.result, answer.failure) if answer.is_done else None

    def _pass_on(self) -> None:
        """An interrupt."""
        self._waiting.clear()
        self._end = time.monotonic() + grace()
        for helper in self._helpers:
            with suppress(OSError):
                os.kill(helper.process.pid or 0, signal.SIGUSR1)


def _start(work: Work[Any]) -> _Helper:
    """The nursery imports what the work needs, once for all."""
    return _Helper(*_NURSERY.start(_serve, work, temporary=tempfile.gettempdir()))


_NURSERY = JobNursery()  # of all runs of a command


def _ending(process: JobProcess) -> str:
    code = process.exitcode or 0
    return f"signal {-code}" if code < 0 else f"exit status {code}"


# -- in the others


def _serve(connection: Connection, known: Work[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, _interrupt)
    listen_to(signal.SIGUSR1)
    life, is_last = ServiceLife(), False
    with suppress(EOFError, OSError):  # the main process is gone, or has closed the connection
        while not is_last:
            work, job = connection.recv()
            answer = _do(work, job)
            is_last = life.is_over()
            connection.send_bytes(pickle.dumps((answer, is_last)))


def _interrupt(number: int, frame: object) -> None:
    if _is_working:
        raise KeyboardInterrupt


def _do(work: Work[Any], job: tuple[Any, ...]) -> bytes:
    """The pickled answer. A failure of ours is told: of a process that ended by it, nobody would know the reason."""
    global _is_working
    _is_working = True
    try:
        return pickle.dumps(_Answer(work(*job)))
    except KeyboardInterrupt:
        return pickle.dumps(_Answer(is_done=False))
    except Exception as problem:
        return pickle.dumps(_Answer(failure=f"{type(problem).__name__}: {problem}"))
    finally:
        _is_working = False
