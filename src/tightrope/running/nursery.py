"""Starts workers quickly: a process that has loaded Python and LLVM forks each of them.

    us ──descriptors, folder, environment──▶ nursery ──forks──▶ worker, which loads one unit
     ◀──────────────── number of the process ───┘

To start Python and load LLVM takes 110 ms of processor time, to fork 4 ms. The nursery never loads or runs a unit, so
every worker begins in the same state, at the same addresses, whatever other workers did. It ends when we are gone.
Where the system has no pidfd, each worker is a process from the beginning.

Our side comes first; run as a program, this module is the nursery.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, Protocol

LENGTH = 8  # bytes of a number in a message
MOST_FAILURES = 3  # nurseries that died before a worker was there; then workers start on their own


class WorkerProcess(Protocol):
    """As much of a Popen as a worker needs."""

    @property
    def pid(self) -> int: ...

    @property
    def stdin(self) -> IO[bytes] | None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class Nursery:
    """Starts the workers of this process."""

    def __init__(self) -> None:
        self.is_used = hasattr(os, "pidfd_open") and hasattr(socket, "send_fds")
        self.failures = 0
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._lock = threading.Lock()

    def start(self, request: int, reply: int, errors: int) -> WorkerProcess:
        """A worker with these ends of pipes, and with this file for its messages. Does not wait for it."""
        if not self.is_used or self.failures >= MOST_FAILURES:
            return start_alone(request, reply, errors)
        order_read, order = os.pipe()
        number, number_write = os.pipe()
        theirs = (order_read, request, reply, errors, number_write)
        try:
            with self._lock:
                self._ask(theirs)
        except OSError:  # then nobody writes a number, either
            self.close()
        finally:
            os.close(order_read)
            os.close(number_write)
        return Forked(self, number, os.fdopen(order, "wb"))

    def close(self) -> None:
        """End the process; workers that it has forked live on. The next start opens another one."""
        with self._lock:
            process, link, self._process, self._link = self._process, self._link, None, None
        if link is not None:
            link.close()
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()

    def _ask(self, descriptors: tuple[int, ...]) -> None:
        if self._link is None or self._owner != os.getpid():
            self._open()
        assert self._link is not None
        message = json.dumps([os.getcwd(), _environment()]).encode()
        socket.send_fds(self._link, [len(message).to_bytes(LENGTH, "little")], descriptors)
        self._link.sendall(message)

    def _open(self) -> None:
        ours, theirs = socket.socketpair()
        self._owner, self._link = os.getpid(), ours
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_keep_addresses,
        )
        theirs.close()


class Forked:
    """A worker that the nursery forks. The nursery is its parent, so we cannot wait for it as for a process of ours."""

    def __init__(self, nursery: Nursery, number: int, stdin: IO[bytes]) -> None:
        self.stdin = stdin
        self._nursery, self._number = nursery, number
        self._pid = 0
        self._handle = -1

    @property
    def pid(self) -> int:
        """Waits until it is there; 0 if the nursery died before."""
        if self._number >= 0:
            written = _read_all(self._number, LENGTH)
            os.close(self._number)
            self._number, self._pid = -1, int.from_bytes(written, "little")
            self._nursery.failures = 0 if self._pid else self._nursery.failures + 1
            if self._pid:  # it stays a zombie until the nursery is asked again
                self._handle = os.pidfd_open(self._pid)
            else:
                self._nursery.close()
        return self._pid

    def wait(self, timeout: float | None = None) -> int:
        """As of a Popen, but without its status. One that is not there yet finds its input closed, and ends."""
        if self._number >= 0 and not select.select([self._number], [], [], 0)[0]:
            os.close(self._number)
            self._number = -1
        if self.pid and self._handle >= 0:
            if not select.select([self._handle], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("worker", timeout or 0)
            os.close(self._handle)
            self._handle = -1
        return 0


def start_alone(request: int, reply: int, errors: int) -> WorkerProcess:
    """A worker that is a process from the beginning."""
    return subprocess.Popen(
        [sys.executable, "-m", "tightrope.running.worker", str(request), str(reply)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        pass_fds=(request, reply),
        env=_environment(),
        start_new_session=True,
        preexec_fn=_keep_addresses,
    )


def _environment() -> dict[str, str]:
    """The worker finds the same packages as we do."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def _keep_addresses() -> None:
    """In the new process: disable address randomisation, so that a unit which compares addresses
    behaves the same in every session. If the system refuses, only this is lost."""
    _personality(ADDR_NO_RANDOMIZE)


ADDR_NO_RANDOMIZE = 0x0040000
_personality = getattr(ctypes.CDLL(None), "personality", lambda mode: 0)

NURSERY = Nursery()
atexit.register(NURSERY.close)


def _read_all(descriptor: int, length: int) -> bytes:
    """So many bytes; fewer if the other end is closed."""
    found = b""
    while len(found) < length and (part := os.read(descriptor, length - len(found))):
        found += part
    return found


# -- in the nursery


def main() -> int:
    gc.disable()  # LLVM's modules make no garbage, and a worker makes little: it is soon in the code that it loads
    from tightrope.running import worker

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the search, which still needs us
    worker.load_llvm()
    with socket.socket(fileno=int(sys.argv[1])) as link:
        os.chdir("/")  # nobody's folder is kept in use
        _serve(link)
    os._exit(0)


def _serve(link: socket.socket) -> None:
    """Fork until the other end is closed."""
    while True:
        length, descriptors, _, _ = socket.recv_fds(link, LENGTH, 5)
        if len(length) < LENGTH:
            return
        folder, environment = json.loads(_read_all(link.fileno(), int.from_bytes(length, "little")))
        _reap()
        *ends, number_write = descriptors
        number = os.fork()
        if not number:
            link.close()
            os.close(number_write)
            _become_worker(ends, folder, environment)
        _lead_a_group(number)
        with contextlib.suppress(OSError):  # the command does not wait for it any more
            os.write(number_write, number.to_bytes(LENGTH, "little"))
        for each in descriptors:
            os.close(each)


def _lead_a_group(process: int) -> None:
    """Worker and nursery both do this: whoever is first, the group exists before anybody knows the worker."""
    with contextlib.suppress(OSError):  # it has ended already
        os.setpgid(process, process)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _become_worker(ends: list[int], folder: str, environment: dict[str, str]) -> None:
    """Never returns."""
    from tightrope.running import worker

    status = 1
    try:
        order, request, reply, errors = ends
        os.dup2(errors, 2)
        _lead_a_group(0)
        with contextlib.suppress(OSError):
            os.chdir(folder)
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)
        os.dup2(order, 0)
        for each in (order, errors):
            os.close(each)
        status = worker.work(request, reply)
    except BaseException:
        traceback.print_exc()
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main())
