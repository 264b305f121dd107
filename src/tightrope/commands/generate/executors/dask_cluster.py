"""A Dask cluster: an existing scheduler with its workers (`tcp://host:8786`), or one that is started here (`local:2`).

Few jobs are submitted ahead, so that thousands can wait here and not in the scheduler's memory. A job whose process
dies is tried once more, on another worker if there is one. If a worker itself disappears, one of the jobs that it had
may be the reason: each of them is tried again when all others are done, alone. Ctrl-C ends the jobs at work; what is
finished is kept.
"""

from __future__ import annotations

import logging
import pickle
import queue
import signal
import sys
import tempfile
import threading
import uuid
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from tightrope.commands.generate.executors.cluster_worker import Answer, Reply, end_command, identity
from tightrope.commands.generate.executors.executor import LOCAL, MOST_TRIES, JobDone, Result, Results, Work, say_lost
from tightrope.commands.generate.executors.interrupts import handling_interrupts, on_first_interrupt
from tightrope.errors import TightropeError, UsageError

LEAST_AHEAD = 8  # jobs in the scheduler, although there may be no worker yet: some clusters start workers on demand
AHEAD = 2  # jobs in the scheduler for each thread of a worker
TO_CONNECT = 10.0  # seconds
TO_STOP = 0.5  # seconds for telling workers that a command is interrupted
TO_END = 0.1  # seconds for a cluster that was started here, after an interrupt
IMPATIENT = 10.0  # seconds without a worker after which the user is told
GONE = "the connection to the scheduler of the cluster was lost"
INSTALL = "pip install 'tightrope[cluster]'"


class DaskCluster:
    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: _Connection | None = None

    @contextmanager
    def opened(self) -> Iterator[int]:
        with _connected(self._address) as self._connection:
            try:
                yield max(1, sum(self._connection.client.nthreads().values()))
            finally:
                self._connection = None

    def run(self, work: Work[Result], jobs: Sequence[tuple[Any, ...]]) -> Results[Result]:
        with nullcontext(self._connection) if self._connection else _connected(self._address) as connection:
            yield from _Submission(connection, work, jobs).run()


@dataclass(slots=True)
class _Submission:
    """The jobs of one command."""

    connection: _Connection
    work: Work[Any]
    jobs: Sequence[tuple[Any, ...]]
    command: str = field(default_factory=lambda: uuid.uuid4().hex)
    waiting: deque[int] = field(default_factory=deque)
    submitted: dict[int, Any] = field(default_factory=dict)  # number of a job -> its future
    deaths: Counter[int] = field(default_factory=Counter)
    suspects: deque[int] = field(default_factory=deque)  # were with a worker that has disappeared
    avoided: dict[int, str] = field(default_factory=dict)  # number of a job -> the worker on which its process died
    finished: queue.SimpleQueue[tuple[int, Any] | None] = field(default_factory=queue.SimpleQueue)
    was_told: bool = False

    @property
    def client(self) -> Any:
        return self.connection.client

    def run(self) -> Iterator[JobDone[Any]]:
        self.waiting = deque(range(len(self.jobs)))
        is_over = False
        with on_first_interrupt(lambda: self.finished.put(None)):
            try:
                while self.waiting or self.submitted or self.suspects:
                    self._submit()
                    each = self._next()
                    if each is None:  # interrupted
                        return
                    number, future = each
                    if self.submitted.get(number) is not future:
                        continue
                    done = self._take(number, future)
                    del self.submitted[number]
                    if done is not None:
                        yield done
                is_over = True
            except _SchedulerGoneError:
                for number in sorted({*self.waiting, *self.submitted, *self.suspects}):
                    yield JobDone(number, None, GONE)
            finally:
                self._end(is_interrupted=not is_over)

    def _submit(self) -> None:
        """Keep the workers busy."""
        if self.suspects and not self.waiting and not self.submitted:
            self.waiting.append(self.suspects.popleft())
        threads = self._threads()
        most = max(LEAST_AHEAD, AHEAD * sum(threads.values()))
        while self.waiting and len(self.submitted) < most:
            number = self.waiting[0]
            others = [each for each in threads if number in self.avoided and each != self.avoided[number]]
            order = pickle.dumps((self.work, self.jobs[number]))
            with _asking():
                future = self.client.submit(
                    _do_there,
                    *(self.command, identity(), order),
                    key=f"tightrope-{self.command}-{number}-{self.deaths[number]}",
                    workers=others or None,
                    allow_other_workers=bool(others),
                    pure=False,
                )
            self.waiting.popleft()
            self.submitted[number] = future
            future.add_done_callback(lambda done, number=number: self.finished.put((number, done)))

    def _threads(self) -> Mapping[str, int]:
        """Of each worker."""
        with _asking():
            found: Mapping[str, int] = self.client.nthreads()
            return found

    def _next(self) -> tuple[int, Any] | None:
        while True:
            try:
                return self.finished.get(timeout=IMPATIENT)
            except queue.Empty:
                if not self._threads() and not self.was_told:
                    self.was_told = True
                    print("tightrope: the cluster has no worker yet: waiting for one (Ctrl-C ends)", file=sys.stderr)

    def _take(self, number: int, future: Any) -> JobDone[Any] | None:
        """The result of a job; None if it is tried again."""
        from distributed import KilledWorker

        if future.status in ("cancelled", "lost"):
            raise _SchedulerGoneError
        with _asking():
            problem = future.exception() if future.status == "error" else None
        if isinstance(problem, KilledWorker):
            self.deaths[number] += 1
            if self.deaths[number] >= MOST_TRIES:
                return JobDone(number, None, f"the worker of the cluster that worked on it ended {MOST_TRIES} times")
            self.suspects.append(number)
            return None
        if isinstance(problem, ImportError | AttributeError):
            raise _mismatch("a worker", f"cannot import Tightrope: {problem}")
        if problem is not None:
            return JobDone(number, None, f"a worker of the cluster failed: {type(problem).__name__}: {problem}")
        with _asking():
            reply: Reply = future.result()
        return self._read(number, reply)

    def _read(self, number: int, reply: Reply) -> JobDone[Any] | None:
        match reply.answer:
            case Answer.DONE:
                return JobDone(number, pickle.loads(reply.content))
            case Answer.FAILED:
                raise pickle.loads(reply.content)
            case Answer.MISMATCH:
                raise _mismatch(f"the worker {reply.worker}", f"has {reply.text}")
            case Answer.DIED:
                self.deaths[number] += 1
                if self.deaths[number] >= MOST_TRIES:
                    return JobDone(number, None, say_lost(reply.text))
                self.avoided[number] = reply.worker
                self.waiting.appendleft(number)
        return None

    def _end(self, is_interrupted: bool) -> None:
        """No process of this command is left on any worker. One that does not answer is not waited for; those that were
        started here are ended, and their processes end with them."""
        if is_interrupted and self.connection.cluster is not None:
            self.connection.is_in_a_hurry = True
            _kill_workers(self.connection.cluster)
            return

        def tell() -> None:
            with suppress(Exception):
                if self.submitted:
                    self.client.cancel(list(self.submitted.values()), force=True)
                self.client.run(end_command, self.command, is_interrupted, on_error="ignore")

        thread = threading.Thread(target=tell, daemon=True)
        thread.start()
        thread.join(TO_STOP if is_interrupted else TO_CONNECT)


class _SchedulerGoneError(Exception):
    pass


@contextmanager
def _asking() -> Iterator[None]:
    """Around calls that speak to the scheduler: Dask's errors for a broken connection are of many kinds."""
    try:
        yield
    except (OSError, RuntimeError, CancelledError) as problem:
        raise _SchedulerGoneError from problem


def _do_there(command: str, wanted: Mapping[str, str], order: bytes) -> Reply:
    from tightrope.commands.generate.executors.cluster_worker import do_on_worker

    return do_on_worker(command, wanted, order)


_do_there.__module__ = "__main__"  # it is sent as code, because the scheduler, which reads it, need not have Tightrope


def _mismatch(worker: str, what: str) -> TightropeError:
    own = identity()
    return UsageError(
        f"{worker} of the cluster {what}: results would not be the same there",
        hint=f"install there what is installed here: pip install 'tightrope[cluster]=={own['tightrope']}', with the "
        f"same versions of what it needs; then start the worker again",
        slug="cluster-version",
    )


# -- connecting


@dataclass(slots=True)
class _Connection:
    """`cluster`: if it was started here. In a hurry, nobody waits for its threads to end: the program ends."""

    client: Any
    cluster: Any = None
    is_in_a_hurry: bool = False

    def close(self) -> None:
        def end() -> None:
            with suppress(Exception):
                self.client.close(timeout=1)
            if self.cluster is not None:
                _kill_workers(self.cluster)
                with suppress(Exception):
                    self.cluster.close(timeout=1)

        if not self.is_in_a_hurry:
            end()
            return
        self.cluster.shutdown_on_close = False  # Dask would wait for it at the end of the program
        thread = threading.Thread(target=end, daemon=True)
        thread.start()
        thread.join(TO_END)


@contextmanager
def _connected(address: str) -> Iterator[_Connection]:
    try:
        import distributed
    except ImportError:
        raise UsageError("--cluster needs Dask, which is not installed", hint=INSTALL, slug="no-dask") from None
    with _silent_logs():
        cluster = _start_cluster(int(address.removeprefix(LOCAL))) if address.startswith(LOCAL) else None
        address = cluster.scheduler_address if cluster is not None else address
        try:
            client = distributed.Client(address, timeout=TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as problem:
            if cluster is not None:
                _kill_workers(cluster)
                cluster.close(timeout=1)
            raise UsageError(
                f"there is no Dask scheduler at {address}: {problem}",
                hint="start one with `dask scheduler`, and `dask worker ADDRESS` where work is done; or use local:2",
                slug="no-cluster",
            ) from None
        connection = _Connection(client, cluster)
        try:
            yield connection
        finally:
            connection.close()


def _start_cluster(workers: int) -> Any:
    """A scheduler in this process, with workers in others, which end with it."""
    import dask
    from distributed import LocalCluster

    settings = {
        "distributed.scheduler.allowed-failures": 0,  # we try again ourselves
        "distributed.admin.tick.limit": "1h",
        "distributed.worker.memory.terminate": False,
    }
    # Processes that are started here ignore Ctrl-C: they end with this one.
    with dask.config.set(settings), handling_interrupts(signal.SIG_IGN):
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            local_directory=tempfile.gettempdir(),
            memory_limit=0,
            env={"TMPDIR": tempfile.gettempdir()},
        )


def _kill_workers(cluster: Any) -> None:
    """At once: they have no work any more, or nobody wants it."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        with suppress(Exception):
            nanny.process.process.kill()


@contextmanager
def _silent_logs() -> Iterator[None]:
    """What goes wrong with a job is in its row of the report."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "distributed.scheduler")]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)
