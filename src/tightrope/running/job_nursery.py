"""Starts processes for jobs quickly: a process that has imported everything forks each of them.

    us ──what to call, its end of a pipe──▶ nursery ──forks──▶ process, which calls it
     ◀─────────── number ─────────────────────┘

To start Python and import all that a search needs takes 0.4 s of processor time, to fork 10 ms. The nursery has one
thread, and never does a job. It ends when we are gone, and so do the processes that it has forked. Where the system has
no pidfd, each process is one from the beginning.

Our side comes first; run as a program, this module is the nursery.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from tightrope.running.session import end_with, join_session

_LENGTH = struct.Struct("=q")
_NUMBER = struct.Struct("=i")
_CAN_FORK = hasattr(os, "pidfd_open") and hasattr(socket, "send_fds")
Serve = Callable[..., None]  # of a connection and further arguments


class JobProcess(Protocol):
    """As much of a process of `multiprocessing` as its users need."""

    @property
    def pid(self) -> int | None: ...

    @property
    def exitcode(self) -> int | None: ...

    def is_alive(self) -> bool: ...

    def join(self, timeout: float | None = None) -> None: ...

    def kill(self) -> None: ...

    def terminate(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Order:
    """Call `serve(connection, *words)` in a new process, whose temporary files are in `temporary`."""

    packed: bytes  # `serve` and its words: what they need is found by means of the path
    temporary: str
    here: str
    path: tuple[str, ...]
    environment: dict[str, str]
    imports: tuple[str, ...]


class JobNursery:
    """`imports`: modules that a new nursery imports at once."""

    def __init__(self, imports: Sequence[str] = ()) -> None:
        self._imports = imports
        self._link: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    @classmethod
    def forked(cls) -> JobNursery:
        """A nursery that is a copy of this process, which must have one thread."""
        found = cls()
        if not _CAN_FORK:
            return found
        ours, theirs = socket.socketpair()
        us = os.getpid()
        if not os.fork():
            with _leaving():
                ours.close()
                end_with(us)
                _serve(theirs)
        theirs.close()
        found._owner, found._link = us, ours
        return found

    def open(self) -> None:
        """Let it import what it needs while we do something else."""
        if _CAN_FORK and (self._link is None or self._owner != os.getpid()):
            ours, theirs = socket.socketpair()
            path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]))
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __name__, str(theirs.fileno()), *self._imports],
                    pass_fds=(theirs.fileno(),),
                    env={**os.environ, "PYTHONPATH": path},
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C is for us
                )
            self._owner, self._link = os.getpid(), ours

    def start(
        self, serve: Serve, *words: Any, temporary: str, imports: Sequence[str] = ()
    ) -> tuple[JobProcess, Connection]:
        """A process that serves the other end of the connection, and ends with us. `imports`: what it will need."""
        if not _CAN_FORK:
            return _spawned(serve, words, temporary)
        packed = pickle.dumps((serve, words))
        order = _Order(packed, temporary, os.getcwd(), tuple(sys.path), dict(os.environ), tuple(imports))
        with self._lock:
            for attempt in range(2):
                ours, theirs = socket.socketpair()
                try:
                    with theirs:
                        return self._forked(order, theirs), Connection(ours.detach())
                except OSError:  # it was killed
                    ours.close()
                    self._close()
                    if attempt:
                        raise
        raise AssertionError

    def _forked(self, order: _Order, theirs: socket.socket) -> JobProcess:
        self.open()
        assert self._link is not None
        packed = pickle.dumps(order)
        socket.send_fds(self._link, [_LENGTH.pack(len(packed))], [theirs.fileno()])
        self._link.sendall(packed)
        (number,) = _NUMBER.unpack(_read_all(self._link, _NUMBER.size))
        return _Forked(self, number, os.pidfd_open(number))

    def reap(self, number: int) -> int:
        """The exit code of a process that has ended: of one that was killed, less than zero."""
        with self._lock:
            try:
                if self._link is None or self._owner != os.getpid():
                    return -signal.SIGKILL  # with its nursery
                self._link.sendall(_LENGTH.pack(-number))
                (code,) = _NUMBER.unpack(_read_all(self._link, _NUMBER.size))
            except OSError:
                return -signal.SIGKILL
            return int(code)

    def close(self) -> None:
        """End it, and with it all that it has forked."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        process, link, self._process, self._link = self._process, self._link, None, None
        if link is not None:
            link.close()
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()


@dataclass(slots=True)
class _Forked:
    """It stays a zombie until somebody asks for its exit code, so that its number is its own."""

    nursery: JobNursery
    pid: int
    _handle: int
    _code: int | None = field(default=None)

    def is_alive(self) -> bool:
        return self.exitcode is None

    @property
    def exitcode(self) -> int | None:
        self.join(0)
        return self._code

    def join(self, timeout: float | None = None) -> None:
        if self._code is None and select.select([self._handle], [], [], timeout)[0]:
            self._code = self.nursery.reap(self.pid)
            os.close(self._handle)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def _send(self, number: signal.Signals) -> None:
        if self._code is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)


def _spawned(serve: Serve, words: tuple[Any, ...], temporary: str) -> tuple[JobProcess, Connection]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_begin, args=(serve, theirs, temporary, os.getpid(), *words), daemon=False)
    process.start()
    theirs.close()
    return process, ours


def _read_all(link: socket.socket, length: int) -> bytes:
    found = b""
    while len(found) < length:
        part = link.recv(length - len(found))
        if not part:
            raise ConnectionError("the nursery of jobs has ended")
        found += part
    return found


# -- in the nursery, and in the processes


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _import(sys.argv[2:])
    with socket.socket(fileno=int(sys.argv[1])) as link:
        _serve(link)


def _import(names: Sequence[str]) -> None:
    """What is missing is told to whoever needs it."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _serve(link: socket.socket) -> None:
    """Fork, and tell how processes have ended, until the other end is closed."""
    with contextlib.suppress(ConnectionError):
        while True:
            told, descriptors, _, _ = socket.recv_fds(link, _LENGTH.size, 1)
            if not told:
                return
            (number,) = _LENGTH.unpack(told)
            if number < 0:
                code = os.waitstatus_to_exitcode(os.waitpid(-number, 0)[1])
                link.sendall(_NUMBER.pack(code))
                continue
            _fork(link, _read_all(link, number), descriptors[0])


def _fork(link: socket.socket, packed: bytes, end: int) -> None:
    us = os.getpid()
    order: _Order = pickle.loads(packed)
    sys.path[:] = order.path
    serve, words = pickle.loads(order.packed)  # what it needs is imported here, once
    _import(order.imports)
    number = os.fork()
    if not number:
        with _leaving():
            link.close()
            os.environ.clear()
            os.environ.update(order.environment)
            with contextlib.suppress(OSError):
                os.chdir(order.here)
            _begin(serve, Connection(end), order.temporary, us, *words)
    os.close(end)
    link.sendall(_NUMBER.pack(number))


@contextlib.contextmanager
def _leaving() -> Any:
    """A forked process never comes back to what its parent does."""
    status = 1
    try:
        yield
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _begin(serve: Serve, connection: Connection, temporary: str, parent: int, *words: Any) -> None:
    join_session(temporary, parent)
    serve(connection, *words)


if __name__ == "__main__":
    main()
