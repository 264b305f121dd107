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
import sys
import threading
import uuid
from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tightrope.commands.generate.executors.cluster_worker import Answer, Reply, end_command, identity
from tightrope.commands.generate.executors.executor import LOCAL, MOST_TRIES, JobDone, Result, Results, Work, say_lost
from tightrope.commands.generate.executors.interrupts import on_first_interrupt
from tightrope.commands.generate.executors.local_cluster import LocalWorkers
from tightrope.commands.generate.executors.orders import KeptContents, pack
from tightrope.commands.generate.executors.waiting import Group, Waiting
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
    """`imports`: modules that the work needs."""

    def __init__(self, address: str, imports: tuple[str, ...] = ()) -> None:
        self._address = address
        self._imports = imports
        self._connection: _Connection | None = None

    @contextmanager
    def opened(self) -> Iterator[int]:
        with _connected(self._address, self._imports) as self._connection:
            try:
                yield max(1, sum(self._connection.client.nthreads().values()))
            finally:
                if not self._connection.is_in_a_hurry:
                    self._connection.end_command((), is_interrupted=False)
                self._connection = None

    def run(
        self, work: Work[Result], jobs: Sequence[tuple[Any, ...]], groups: Sequence[Hashable] = ()
    ) -> Results[Result]:
        if self._connection is not None:
            yield from _Submission(self._connection, work, jobs, groups).run(is_last=False)
            return
        with _connected(self._address, self._imports) as connection:
            yield from _Submission(connection, work, jobs, groups).run()


@dataclass(slots=True)
class _Submission:
    """The jobs of one run."""

    connection: _Connection
    work: Work[Any]
    jobs: Sequence[tuple[Any, ...]]
    groups: Sequence[Hashable] = ()
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    waiting: Waiting = field(init=False)
    submitted: dict[int, Any] = field(default_factory=dict)  # number of a job -> its future
    places: dict[int, str] = field(default_factory=dict)  # -> the worker that it was meant for
    last: dict[str, Group] = field(default_factory=dict)  # worker -> the group of its last job
    sent: dict[str, KeptContents] = field(default_factory=dict)  # worker -> what it should have of shared contents
    deaths: Counter[int] = field(default_factory=Counter)  # of processes that worked on a job
    worker_deaths: Counter[int] = field(default_factory=Counter)
    tries: Counter[int] = field(default_factory=Counter)
    suspects: deque[int] = field(default_factory=deque)  # were with a worker that has disappeared
    avoided: dict[int, str] = field(default_factory=dict)  # number of a job -> the worker on which its process died
    finished: queue.SimpleQueue[tuple[int, Any] | None] = field(default_factory=queue.SimpleQueue)
    was_told: bool = False

    def __post_init__(self) -> None:
        self.waiting = Waiting(len(self.jobs), self.groups)

    @property
    def client(self) -> Any:
        return self.connection.client

    def run(self, is_last: bool = True) -> Iterator[JobDone[Any]]:
        """`is_last`: the connection is not used again."""
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
                if is_last or not is_over:
                    self.connection.end_command([*self.submitted.values()], is_interrupted=not is_over)

    def _submit(self) -> None:
        """Keep the workers busy."""
        if self.suspects and not self.waiting and not self.submitted:
            self.waiting.put_back(self.suspects.popleft())
        threads = self._threads()
        most = max(LEAST_AHEAD, AHEAD * sum(threads.values()))
        while self.waiting and len(self.submitted) < most:
            worker = self._least_busy(threads)
            others = [group for each, group in self.last.items() if each != worker and each in threads]
            number = self.waiting.take(self.last.get(worker), others)
            self.last[worker] = self.waiting.group(number)
            places = [each for each in threads if number in self.avoided and each != self.avoided[number]]
            places = places or ([worker] if worker else [])
            self._send(number, places)

    def _least_busy(self, threads: Mapping[str, int]) -> str:
        """The worker that has the fewest jobs for each of its threads; "" if there is none."""
        have = Counter(self.places[number] for number in self.submitted)
        return min(threads, key=lambda each: have[each] / max(1, threads[each]), default="")

    def _send(self, number: int, places: Sequence[str]) -> None:
        """To one of these workers, or to another one that has nothing to do."""
        order, shared = pack((self.work, self.jobs[number]))
        there = self.sent.setdefault(places[0], KeptContents()) if len(places) == 1 else KeptContents()
        contents = {name: pickle.dumps(shared[name]) for name in there.lacks(order.names)}
        there.add(contents, order.names)
        self.tries[number] += 1
        with _asking():
            future = self.client.submit(
                _do_there,
                *(self.connection.command, identity(), order.content, order.names, contents, self.connection.imports),
                key=f"tightrope-{self.run_id}-{number}-{self.tries[number]}",
                workers=list(places) or None,
                allow_other_workers=bool(places),
                pure=False,
            )
        self.submitted[number], self.places[number] = future, places[0] if places else ""
        future.add_done_callback(lambda done: self.finished.put((number, done)))

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
                if self.connection.cluster is not None:
                    self.connection.cluster.ensure()
                if not self._threads() and not self.was_told:
                    self.was_told = True
                    print("tightrope: the cluster has no worker yet: waiting for one (Ctrl-C ends)", file=sys.stderr)

    def _take(self, number: int, future: Any) -> JobDone[Any] | None:
        """The result of a job; None if it is tried again."""
        from distributed import KilledWorker

        if future.status == "cancelled":
            raise _SchedulerGoneError
        if future.status == "lost":  # its worker disappeared before we had the result
            self.sent.clear()
            with _asking():
                future.cancel()  # Dask would do it again as it was: perhaps for a worker that lacks something
            self.waiting.put_back(number)
            return None
        with _asking():
            problem = future.exception() if future.status == "error" else None
        if isinstance(problem, KilledWorker):
            self.sent.clear()
            if self.connection.cluster is not None:
                self.connection.cluster.ensure()
            self.worker_deaths[number] += 1
            if self.worker_deaths[number] >= MOST_TRIES:
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
                self.waiting.put_back(number)
            case Answer.LACKS:  # it was meant for another one, or has forgotten
                self.sent.pop(reply.worker, None)
                self.sent.pop(self.places[number], None)
                self.waiting.put_back(number)
        return None


class _SchedulerGoneError(Exception):
    pass


@contextmanager
def _asking() -> Iterator[None]:
    """Around calls that speak to the scheduler: Dask's errors for a broken connection are of many kinds."""
    try:
        yield
    except (OSError, RuntimeError, CancelledError) as problem:
        raise _SchedulerGoneError from problem


def _do_there(
    command: str,
    wanted: Mapping[str, str],
    order: bytes,
    names: tuple[str, ...],
    contents: Mapping[str, bytes],
    imports: tuple[str, ...],
) -> Reply:
    from tightrope.commands.generate.executors.cluster_worker import do_on_worker
    from tightrope.commands.generate.executors.orders import JobOrder

    return do_on_worker(command, wanted, JobOrder(order, names), contents, imports)


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
    """`cluster`: if it was started here. In a hurry, nobody waits for its threads to end: the program ends. `command`
    is how workers know what works for us."""

    client: Any
    cluster: LocalWorkers | None = None
    imports: tuple[str, ...] = ()
    is_in_a_hurry: bool = False
    command: str = field(default_factory=lambda: uuid.uuid4().hex)

    def end_command(self, futures: Sequence[Any], is_interrupted: bool) -> None:
        """No process of this command is left on any worker. One that does not answer is not waited for; those that were
        started here are ended, and their processes end with them."""
        if is_interrupted and self.cluster is not None:
            self.is_in_a_hurry = True
            self.cluster.kill()
            return

        def tell() -> None:
            with suppress(Exception):
                if futures:
                    self.client.cancel(list(futures), force=True)
                self.client.run(end_command, self.command, is_interrupted, on_error="ignore")

        thread = threading.Thread(target=tell, daemon=True)
        thread.start()
        thread.join(TO_STOP if is_interrupted else TO_CONNECT)

    def close(self) -> None:
        def end() -> None:
            with suppress(Exception):
                self.client.close(timeout=1)
            if self.cluster is not None:
                self.cluster.kill()
                self.cluster.close(self.is_in_a_hurry)

        if not self.is_in_a_hurry:
            end()
            return
        thread = threading.Thread(target=end, daemon=True)
        thread.start()
        thread.join(TO_END)


@contextmanager
def _connected(address: str, imports: tuple[str, ...]) -> Iterator[_Connection]:
    local = LocalWorkers(int(address.removeprefix(LOCAL)), imports) if address.startswith(LOCAL) else None
    try:
        import distributed
    except ImportError:
        raise UsageError("--cluster needs Dask, which is not installed", hint=INSTALL, slug="no-dask") from None
    with _silent_logs():
        address = local.open() if local is not None else address
        try:
            client = distributed.Client(address, timeout=TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as problem:
            if local is not None:
                local.kill()
                local.close()
            raise UsageError(
                f"there is no Dask scheduler at {address}: {problem}",
                hint="start one with `dask scheduler`, and `dask worker ADDRESS` where work is done; or use local:2",
                slug="no-cluster",
            ) from None
        connection = _Connection(client, local, imports)
        if local is not None:
            with suppress(TimeoutError):  # then they come later
                client.wait_for_workers(local.number, timeout=TO_CONNECT)
        try:
            yield connection
        finally:
            connection.close()


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
