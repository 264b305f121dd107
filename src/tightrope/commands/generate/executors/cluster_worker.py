"""What a Dask worker does for us: it keeps a process for each of its threads and hands jobs to it.

    dask worker ─thread─▶ process of ours ─▶ work(*job)
                ─thread─▶ process of ours ─▶ work(*job)

The work is not done in the worker itself: it changes the current folder, starts processes, which Dask's workers may
not, and may be killed by what it tests. A process ends with its worker, when its command is over, or when nobody has
asked it for anything for a while, or when it has become large.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import pickle
import platform
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tightrope.commands.generate.executors.executor import ServiceLife
from tightrope.commands.generate.executors.orders import JobOrder, KeptContents, unpack
from tightrope.running.job_nursery import JobNursery, JobProcess
from tightrope.running.session import lock_folder, make_session_folder
from tightrope.source.mirror import sweep_places
from tightrope.version import __version__

PATIENCE = 120.0  # seconds until a process without work ends
_DECISIVE = ("llvmlite", "bitwuzla", "ziglang", "z3-solver")  # with another version of these, results differ


class Answer(Enum):
    """What a worker says about a job."""

    DONE = "done"  # the pickled result follows
    FAILED = "failed"  # a pickled exception
    DIED = "died"  # how the process ended
    MISMATCH = "mismatch"  # what differs from the command
    LACKS = "lacks"  # it has not got what the job shares with others
    STOPPED = "stopped"  # the command was interrupted


@dataclass(frozen=True, slots=True)
class Reply:
    answer: Answer
    content: bytes = b""
    text: str = ""
    worker: str = ""


@cache
def identity() -> Mapping[str, str]:
    """What must be the same in a command and in the workers that it uses."""
    package = Path(__file__).parents[3]
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*")):
        if file.suffix in (".py", ".c", ".h", ".json", ".html"):
            digest.update(file.relative_to(package).as_posix().encode() + file.read_bytes())
    found = {"tightrope": __version__, "files of tightrope": digest.hexdigest()[:12]}
    found |= {name: version for name in _DECISIVE if (version := _version(name))}
    return {**found, "processor": platform.machine()}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def differences(wanted: Mapping[str, str]) -> str:
    own = identity()
    shown = [f"{name} {own.get(name, 'missing')} instead of {value}" for name, value in wanted.items()]
    return ", ".join(text for (name, value), text in zip(wanted.items(), shown, strict=True) if own.get(name) != value)


# -- in a Dask worker


@dataclass(slots=True)
class _Keeper:
    """A process of ours, with a folder for its temporary files. `kept`: what it has got of shared contents."""

    process: JobProcess
    connection: Connection
    folder: Path
    was_stopped: bool = False
    is_over: bool = False  # it has done its last job
    kept: KeptContents = field(default_factory=KeptContents)

    def do(self, order: JobOrder, contents: Mapping[str, bytes]) -> tuple[bool, bytes]:
        """Whether it was done, and the pickled result or problem."""
        new = {name: contents[name] for name in self.kept.lacks(order.names)}
        self.kept.add(new, order.names)
        self.connection.send_bytes(pickle.dumps((order, new)))
        is_done, content, self.is_over = pickle.loads(self.connection.recv_bytes())
        return is_done, content

    def end(self, is_at_work: bool = False) -> None:
        """One without work ends by itself, and cleans up what it started."""
        with suppress(OSError):
            self.connection.close()
        if not is_at_work:
            self.process.join(1.0)
        self.process.kill()
        self.process.join()
        shutil.rmtree(self.folder, ignore_errors=True)
        sweep_places()


_lock = threading.Lock()
_idle: dict[str, list[_Keeper]] = {}  # by command
_busy: dict[str, list[_Keeper]] = {}
_over: set[str] = set()  # commands that were interrupted
_kept = KeptContents()  # what jobs of any command share
_nurseries = [JobNursery()]  # the last one is in use


def use_nursery(nursery: JobNursery) -> None:
    _nurseries.append(nursery)


def do_on_worker(
    command: str,
    wanted: Mapping[str, str],
    order: JobOrder,
    contents: Mapping[str, bytes],
    imports: tuple[str, ...] = (),
    worker: str = "",
) -> Reply:
    """Do the work that is packed in `order`, for a command whose identity is `wanted`. `imports`: what it needs."""
    worker = worker or _address()
    differing = differences(wanted)
    if differing:
        return Reply(Answer.MISMATCH, text=differing, worker=worker)
    with _lock:
        if any(name not in contents for name in _kept.lacks(order.names)):
            return Reply(Answer.LACKS, worker=worker)
        _kept.add(contents, order.names)
        own = {name: _kept.contents[name] for name in order.names}
    try:
        with _taken(command, imports) as keeper:
            if keeper is None:
                return Reply(Answer.STOPPED)
            try:
                is_done, content = keeper.do(order, own)
            except (EOFError, OSError):
                raise _DiedError(keeper) from None
    except _DiedError as death:
        if death.keeper.was_stopped:
            return Reply(Answer.STOPPED)
        return Reply(Answer.DIED, text=_ending(death.keeper.process), worker=worker)
    return Reply(Answer.DONE if is_done else Answer.FAILED, content, worker=worker)


class _DiedError(Exception):
    def __init__(self, keeper: _Keeper) -> None:
        super().__init__()
        self.keeper = keeper


def _address() -> str:
    from distributed import get_worker

    return str(get_worker().address)


@contextmanager
def _taken(command: str, imports: tuple[str, ...]) -> Iterator[_Keeper | None]:
    with _lock:
        if command in _over:
            yield None
            return
        idle = _idle.setdefault(command, [])
        while idle and not idle[-1].process.is_alive():
            idle.pop().end()
        keeper = idle.pop() if idle else _start(imports)
        _busy.setdefault(command, []).append(keeper)
    try:
        yield keeper
    except _DiedError:
        with _lock:
            _busy[command].remove(keeper)
        if not keeper.was_stopped:
            keeper.process.join(5.0)
            keeper.end()
        raise
    with _lock:
        _busy[command].remove(keeper)
        if not keeper.is_over:
            _idle[command].append(keeper)
    if keeper.is_over:
        keeper.end()


def _start(imports: tuple[str, ...]) -> _Keeper:
    folder = make_session_folder()
    return _Keeper(*_nurseries[-1].start(_serve, str(folder), temporary=str(folder), imports=imports), folder)


def end_command(command: str, is_interrupted: bool = False) -> None:
    """End the processes of a command."""
    with _lock:
        if is_interrupted:
            _over.add(command)
        idle, busy = _idle.pop(command, []), list(_busy.get(command, ()))
        for keeper in busy:
            keeper.was_stopped = True
    for keeper in busy:
        keeper.end(is_at_work=True)
    for keeper in idle:
        keeper.end()


def _ending(process: JobProcess) -> str:
    code = process.exitcode or 0
    return f"signal {-code}" if code < 0 else f"exit status {code}"


# -- in the processes


def _serve(connection: Connection, folder: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command decides what is kept
    kept, values = KeptContents(), dict[str, Any]()
    life, is_last = ServiceLife(), False
    with suppress(EOFError, OSError), lock_folder(Path(folder)):
        while not is_last and connection.poll(PATIENCE):
            order, new = pickle.loads(connection.recv_bytes())
            kept.add(dict.fromkeys(new, b""), order.names)
            values |= {name: pickle.loads(content) for name, content in new.items()}
            values = {name: value for name, value in values.items() if name in kept.contents}
            try:
                work, job = unpack(order, values)
                is_done, content = True, pickle.dumps(work(*job))
            except Exception as problem:
                is_done, content = False, pickle.dumps(problem)
            is_last = life.is_over()
            connection.send_bytes(pickle.dumps((is_done, content, is_last)))
