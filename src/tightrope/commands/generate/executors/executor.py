"""What executors have in common: they do jobs and hand out results in the order in which these are finished."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from tightrope.program.ir.gc_pause import resident_bytes

Result = TypeVar("Result")
Work = Callable[..., Result]
MOST_TRIES = 2  # of a job whose process dies
MOST_MEMORY = 512 << 20  # bytes of a process for jobs
LEAST_JOBS = 16  # of such a process, however much it needs
INTERRUPTED = "interrupted"
LOCAL = "local:"  # a cluster that is started here: `local:2`


@dataclass(frozen=True, slots=True)
class Shared:
    """A value in several jobs; those with the same name are the same."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class JobDone(Generic[Result]):
    """The job with this number is done, or lost: `lost` says why."""

    number: int
    result: Result | None
    lost: str = ""


Results = Generator[JobDone[Result], None, None]  # closing it ends the work


class Executor(Protocol):
    def run(
        self, work: Work[Result], jobs: Sequence[tuple[Any, ...]], groups: Sequence[Hashable] = ()
    ) -> Results[Result]:
        """`work(*job)` for each job. Whoever does one of a group is given more of it. After an interrupt, those that
        have not begun are missing."""
        ...

    def opened(self) -> AbstractContextManager[int]:
        """Inside, several runs share what is costly to start. The number of jobs that are done at the same time."""
        ...


def say_lost(ending: str) -> str:
    return f"the process that worked on it ended {MOST_TRIES} times: {ending}"


class ServiceLife:
    """How long a process for jobs serves: one that has become large is replaced by a new one between two jobs. What
    libraries keep is never given back, and whatever it starts copies the tables of all its memory. To fork a new one is
    quick, but it has to read the file of its next job again: so nobody leaves after a few jobs."""

    def __init__(self) -> None:
        self._done = 0

    def is_over(self) -> bool:
        """Asked once after each job."""
        self._done += 1
        return self._done >= LEAST_JOBS and resident_bytes() > MOST_MEMORY


class ThisProcess:
    """One after the other."""

    def opened(self) -> AbstractContextManager[int]:
        return nullcontext(1)

    def run(
        self, work: Work[Result], jobs: Sequence[tuple[Any, ...]], groups: Sequence[Hashable] = ()
    ) -> Results[Result]:
        for number, job in enumerate(jobs):
            try:
                result = work(*job)
            except KeyboardInterrupt:  # those before it are done
                return
            yield JobDone(number, result)
