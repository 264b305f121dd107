"""Forks guards quickly: a small process does it, which has loaded little more than Python.

    us ──order, output, life line──▶ nursery ──forks──▶ guard ──forks──▶ program
     ◀─────────── status ──────────────┘

To fork a guard means to copy this process, and the guard is copied again. After a while the process is large: then each
program costs 15 ms of processor time, and 4 ms with the nursery. To start that takes 60 ms, so the first programs of a
command do without. It ends when we are gone, and so do its guards.

Our side comes first; run as a program, this module is the nursery.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tightrope.running.containment import Powers
from tightrope.suite.guard import NOT_STARTED, Entrance, Limits, end_descendants, leave_guard

FIRST = 12  # programs whose guards we fork ourselves
_LENGTH = 8  # bytes of the length of an order
_STATUS = struct.Struct("=i")


@dataclass(frozen=True, slots=True)
class Order:
    """What to run, and how it is contained."""

    words: Sequence[str]
    environment: Mapping[str, str]  # all of it
    folder: Path
    limits: Limits
    powers: Powers

    def pack(self) -> bytes:
        here, limits = os.getcwd(), asdict(self.limits)
        writable = [os.path.join(here, each) for each in self.limits.writable]
        limits.update(writable=writable, temporary=None)  # a temporary folder is among the writable ones already
        values = [[*self.words], {**self.environment}, str(self.folder), limits, asdict(self.powers)]
        return json.dumps(values).encode()

    @classmethod
    def unpack(cls, packed: bytes) -> Order:
        words, environment, folder, limits, powers = json.loads(packed)
        kept = replace(Limits(**limits), writable=tuple(map(Path, limits["writable"])))
        return cls(words, environment, Path(folder), kept, Powers(**powers))


class GuardNursery:
    """Starts the guards of this process."""

    def __init__(self) -> None:
        self.is_usable = hasattr(os, "pidfd_open") and hasattr(socket, "send_fds")
        self.programs = 0  # run so far
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._lock = threading.Lock()

    @property
    def pays(self) -> bool:
        """Whether to ask it; counts programs."""
        if self._owner != os.getpid():  # a copy of the process that knew the nursery
            self._owner, self.programs, self._process, self._link = os.getpid(), 0, None, None
        self.programs += 1
        return self.is_usable and self.programs > FIRST

    def start(self, order: Order, output: int, life: int) -> DistantGuard | None:
        """A guard with this file for the program's output, and the end of its starter's life line. None if there is no
        nursery to fork it."""
        ours, theirs = socket.socketpair()
        packed = order.pack()
        try:
            with self._lock, theirs:
                link = self._link or self._open()
                socket.send_fds(link, [len(packed).to_bytes(_LENGTH, "little")], [output, life, theirs.fileno()])
                link.sendall(packed)
        except OSError:
            ours.close()
            self.is_usable = False
            return None
        return DistantGuard(ours)

    def close(self) -> None:
        """End it, and with it all guards."""
        with self._lock:
            process, link, self._process, self._link = self._process, self._link, None, None
        if process is None or link is None or self._owner != os.getpid():
            return
        link.close()
        process.wait()

    def _open(self) -> socket.socket:
        self._link, theirs = socket.socketpair()
        with theirs:
            self._process = _start_nursery(theirs.fileno())
        return self._link


def _start_nursery(link: int) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]))
    return subprocess.Popen(
        [sys.executable, "-S", "-m", __name__, str(link)],
        pass_fds=(link,),
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


GUARDS = GuardNursery()
atexit.register(GUARDS.close)


class DistantGuard:
    """A guard that the nursery has forked, and for which only the nursery can wait."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link

    def has_ended_within(self, seconds: float) -> bool:
        return bool(select.select([self._link], [], [], seconds)[0])

    def stop(self) -> int:
        """End it with all its descendants; returns its status. If the nursery has died, that is not known."""
        with self._link, contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_WR)
            told = self._link.recv(_STATUS.size, socket.MSG_WAITALL)
            if len(told) == _STATUS.size:
                return int(_STATUS.unpack(told)[0])
        return NOT_STARTED


# -- in the nursery


@dataclass(frozen=True, slots=True)
class _Charge:
    """A guard, and who hears of its end."""

    process: int
    handle: int  # can be read when it has ended
    starter: socket.socket  # can be read when it shall be stopped


def main() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which then stops its programs
    with socket.socket(fileno=int(sys.argv[1])) as link:
        _serve(link)
    return 0


def _serve(link: socket.socket) -> None:
    """Until the other end is closed. Then guards see by their life lines that they shall end."""
    poll, charges = select.poll(), dict[int, _Charge]()
    poll.register(link, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready == link.fileno():
                charge = _start(link)
                if charge is None:
                    return
                for each in (charge.handle, charge.starter.fileno()):
                    charges[each] = charge
                    poll.register(each, select.POLLIN)
            elif ready in charges:
                charge = charges[ready]
                for each in (charge.handle, charge.starter.fileno()):
                    poll.unregister(each)
                    del charges[each]
                _end(charge)


def _start(link: socket.socket) -> _Charge | None:
    """The guard of the next order; None if there is no order any more."""
    length, descriptors, _, _ = socket.recv_fds(link, _LENGTH, 3)
    if len(length) < _LENGTH:
        return None
    order = Order.unpack(_receive(link, int.from_bytes(length, "little")))
    output, life, starter = descriptors
    process = os.fork()
    if not process:
        _become_guard(order, output, life)
    os.close(output)
    os.close(life)
    return _Charge(process, os.pidfd_open(process), socket.socket(fileno=starter))


def _receive(link: socket.socket, length: int) -> bytes:
    found = b""
    while len(found) < length and (part := link.recv(length - len(found))):
        found += part
    return found


def _become_guard(order: Order, output: int, life: int) -> None:
    """What Popen does, and then what every guard does. Never returns."""
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for source, target in ((null, 0), (output, 1), (null, 2)):
            os.dup2(source, target)
        for each in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores the last two
            signal.signal(each, signal.SIG_DFL)
        os.chdir(order.folder)
        entrance = Entrance(order.words, order.environment, order.limits, (), order.powers)
        leave_guard(order.limits, life, entrance)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(NOT_STARTED)


def _end(charge: _Charge) -> None:
    """End the guard and all its descendants, and tell its status. Until we wait for it, nobody else gets its number."""
    if os.waitid(os.P_PID, charge.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        end_descendants(charge.process)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(charge.process, signal.SIGKILL)
    _, status = os.waitpid(charge.process, 0)
    with charge.starter, contextlib.suppress(OSError):
        charge.starter.sendall(_STATUS.pack(os.waitstatus_to_exitcode(status)))
    os.close(charge.handle)


if __name__ == "__main__":
    sys.exit(main())
