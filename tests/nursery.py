"""Workers without their start: a process that has loaded Python and LLVM forks when a test wants one.

    usual start of a worker     0.14 s of processor time, 0.10 of them to load Python and LLVM
    forked here                 0.04 s

Run as a program, this is the process that forks. It does for a worker what `Worker._start` asks the system for: a session
of its own, the same addresses every time, standard input, standard error, and the folder and environment that the test
has now. Imported, it is what asks that process.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

LENGTH = 8  # bytes that say how long a message is


class Nursery:
    """Starts workers for the tests of one process."""

    def __init__(self) -> None:
        self.is_open = hasattr(os, "pidfd_open") and os.environ.get("TIGHTROPE_FULL") != "1"
        self._environment = worker_environment()  # of no test
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._lock = threading.Lock()

    def start(self, worker: Any) -> None:
        """What `Worker._start` does, without its waiting for LLVM."""
        given, stdin = os.pipe()
        request, worker.request = os.pipe()
        worker.reply, reply = os.pipe()
        ends = (given, request, reply)
        with self._lock:
            number = self._ask((*ends, worker.errors.fileno()), worker_environment())
        worker.process = Forked(number, os.fdopen(stdin, "wb"))
        for each in ends:
            os.close(each)

    @contextlib.contextmanager
    def closed(self) -> Iterator[None]:
        """Inside, every worker is a process from the beginning."""
        was_open, self.is_open = self.is_open, False
        try:
            yield
        finally:
            self.is_open = was_open

    def close(self) -> None:
        if self._process and self._link:
            self._link.close()
            self._process.wait()

    def _ask(self, descriptors: tuple[int, ...], environment: dict[str, str]) -> int:
        link = self._link or self._open()
        message = json.dumps([os.getcwd(), environment]).encode()
        socket.send_fds(link, [len(message).to_bytes(LENGTH, "little")], descriptors)
        link.sendall(message)
        return int.from_bytes(receive(link, LENGTH), "little")

    def _open(self) -> socket.socket:
        from tightrope.running.runner import _keep_addresses

        self._link, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            env=self._environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_keep_addresses,
        )
        theirs.close()
        return self._link


def worker_environment() -> dict[str, str]:
    from tightrope.running.runner import _environment

    return _environment()


class Forked:
    """As much of a Popen as `Worker` uses. The nursery is the parent of the process, so we cannot wait for it as ours."""

    def __init__(self, pid: int, stdin: BinaryIO) -> None:
        self.pid, self.stdin = pid, stdin
        self._handle: int | None = os.pidfd_open(pid)  # it stays a zombie until the nursery is asked again

    def wait(self, timeout: float | None = None) -> None:
        if self._handle is None:
            return
        if not select.select([self._handle], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("worker", timeout or 0)
        os.close(self._handle)
        self._handle = None


def receive(link: socket.socket, length: int) -> bytes:
    found = b""
    while len(found) < length:
        part = link.recv(length - len(found))
        if not part:
            raise EOFError
        found += part
    return found


# --- in the process that forks ----------------------------------------------------------------------


def serve(link: socket.socket) -> None:
    """Fork until the other end is closed."""
    while True:
        length, descriptors, _, _ = socket.recv_fds(link, LENGTH, 4)
        if not length:
            return
        folder, environment = json.loads(receive(link, int.from_bytes(length, "little")))
        reap()
        number = os.fork()
        if not number:
            link.close()
            become_worker(descriptors, folder, environment)
        for each in descriptors:
            os.close(each)
        link.sendall(number.to_bytes(LENGTH, "little"))


def reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def become_worker(descriptors: list[int], folder: str, environment: dict[str, str]) -> None:
    """Never returns."""
    status = 1
    try:
        given, request, reply, errors = descriptors
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        os.dup2(given, 0)
        os.dup2(errors, 2)
        os.closerange(max(descriptors) + 1, 4096)
        sys.argv[1:] = [str(request), str(reply)]
        status = worker.main()
    except BaseException:
        traceback.print_exc()
    os._exit(status)


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))
    from tightrope.running import worker

    worker.llvm.initialize_native_target()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with contextlib.suppress(EOFError), socket.socket(fileno=int(sys.argv[1])) as to_tests:
        serve(to_tests)
    reap()
