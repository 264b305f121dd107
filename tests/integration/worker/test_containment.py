"""Whatever C code tries to do to the world is an outcome of its run: in the worker, and in a test program. The user's files
stay as they are, and no process is left (see `mark`)."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from contained_deeds import ATTEMPTS, MAIN, Attempt, write_unit

from tightrope.running import runner
from tightrope.running.containment import Powers, find_powers
from tightrope.suite import guard, native
from tightrope.suite.guard import Limits
from tightrope.suite.guard_nursery import FIRST, GUARDS
from tightrope.suite.native import Ended, run_program

pytestmark = pytest.mark.skipif(
    not (find_powers().landlock >= 6 and find_powers().asks), reason="needs Landlock 6 and seccomp"
)

FULL = find_powers()
WAYS = {
    "full": FULL,
    "old Landlock": Powers(2, True, True),
    "no Landlock": Powers(0, True, True),
}


class World:
    """A user's folder with files in it, and a server to talk to."""

    def __init__(self, place: Path) -> None:
        self.place, self.folder, self.home, self.allowed = place, place / "folder", place / "home", place / "allowed"
        for each in (self.folder / "empty", self.home, self.allowed):
            each.mkdir(parents=True)
        (self.folder / "file").write_text("keep me\n" * 1000)
        (self.home / ".profile").write_text("keep me\n")
        self.temporary = Path("/tmp") / f"tightrope-deed-{uuid.uuid4()}"
        self.server = socket.create_server(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(str(self.folder / "socket"))
        self.unix.listen()

    def close(self) -> None:
        self.server.close()
        self.unix.close()

    @property
    def names(self) -> dict[str, str | int]:
        return {
            "FOLDER": str(self.folder),
            "OPEN_FILE": str(self.folder / "file"),
            "HOME": str(self.home),
            "TMP": str(self.temporary),
            "ALLOWED": str(self.allowed),
            "PORT": self.server.getsockname()[1],
        }

    def snapshot(self) -> dict[str, Any]:
        """All that can be seen of the files, except when they were read."""
        paths = [each for top in (self.folder, self.home) for each in (top, *sorted(top.rglob("*")))]
        rows = {str(each): self._describe(each) for each in paths}
        return rows | {"temporary": self.temporary.exists(), "shm": Path("/dev/shm/tightrope-deed").exists()}

    def _describe(self, path: Path) -> tuple[Any, ...]:
        state = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        fixed = (state.st_mode, state.st_uid, state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_nlink)
        return (*fixed, content, tuple(os.listxattr(path, follow_symlinks=False)))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made, heard = World(tmp_path / "world"), list[int]()
    before = signal.signal(signal.SIGWINCH, lambda number, frame: heard.append(number))
    yield made
    signal.signal(signal.SIGWINCH, before)
    made.close()
    assert heard == []


def is_right(attempt: Attempt, found: str, powers: Powers) -> bool:
    expected = attempt.outcome
    if attempt.needs_folder and not powers.has_own_folder:
        expected = "returned 0"
    return found in expected.split("|")


@pytest.mark.parametrize("way", WAYS)
def test_the_worker_is_contained(way: str, world: World, start_unit, monkeypatch: pytest.MonkeyPatch) -> None:
    powers = WAYS[way]
    monkeypatch.setattr(runner, "find_powers", lambda: powers)
    monkeypatch.setattr(runner, "GRACE", 1.0)
    options = ("--run-time-limit", "0.4", "--allow-files", str(world.allowed))
    unit = start_unit(write_unit(world.names), "act", *options)
    before, wrong = world.snapshot(), []
    for number, attempt in enumerate(ATTEMPTS, 1):
        record = unit.run(number)
        found = record.ending.outcome.value
        found += f" {record.outputs[0]}" if found == "returned" else ""
        if not is_right(attempt, found, powers):
            wrong.append(f"{attempt.name}: {found} {record.ending.reason}")
        if world.snapshot() != before:
            wrong.append(f"{attempt.name} changed something")
            before = world.snapshot()
    assert not wrong, "\n".join(wrong)
    assert list(unit.runner.worker.working_folder.iterdir()) == []
    with pytest.raises(subprocess.TimeoutExpired):  # the keeper is alive
        unit.runner.worker.process.wait(0)


def describe(ended: Ended) -> str:
    if ended.was_stopped:
        return "timed_out"
    if ended.status < 0:
        return "crashed"
    return f"returned {ended.status - 100}" if ended.status in (100, 101) else "exited"


@pytest.fixture(params=["our copy", "from the nursery"])
def forks(request: pytest.FixtureRequest, mark: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Who forks the guard of a program."""
    monkeypatch.setattr(GUARDS, "is_usable", request.param == "from the nursery")
    monkeypatch.setattr(GUARDS, "programs", FIRST)
    yield
    GUARDS.close()


@pytest.fixture
def program(tmp_path: Path, world: World) -> Path:
    """A program that makes one attempt."""
    if not shutil.which("gcc"):
        pytest.skip("needs gcc")
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(write_unit(world.names) + MAIN)
    subprocess.run(["gcc", "-w", str(source), "-o", str(program), "-lpthread", "-ldl", "-lrt"], check=True)
    return program


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("way", ["full", "no Landlock"])
def test_test_programs_are_contained(
    way: str, world: World, program: Path, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    powers = WAYS[way]
    monkeypatch.setattr(native, "find_powers", lambda: powers)
    before, wrong = world.snapshot(), []
    for number, attempt in enumerate(ATTEMPTS, 1):
        if attempt.name == "longjmp to nowhere":  # undefined: the worker knows it
            continue
        own = tmp_path / f"own-{number}"
        own.mkdir()
        limits = Limits(seconds=0.8, output=1 << 20, writable=(own, world.allowed))
        found = describe(run_program((program, str(number)), own, limits))
        if found == "timed_out" and not is_right(attempt, found, powers):  # on a busy machine
            found = describe(run_program((program, str(number)), own, replace(limits, seconds=20.0)))
        if not is_right(attempt, found, powers):
            wrong.append(f"{attempt.name}: {found}")
        if world.snapshot() != before:
            wrong.append(f"{attempt.name} changed something")
            before = world.snapshot()
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize("powers", [Powers(FULL.landlock, True, False), Powers()], ids=["nobody is asked", "nothing"])
def test_where_there_is_less_programs_run_all_the_same(
    powers: Powers, program: Path, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "find_powers", lambda: powers)
    names = ("a file of its own", "reading", "a child", "a thread", "exec in a child")
    for number, attempt in enumerate(ATTEMPTS, 1):
        if attempt.name in names[: 5 if powers.seccomp else 4]:
            limits = Limits(seconds=2, writable=(tmp_path,))
            assert describe(run_program((program, str(number)), tmp_path, limits)) == attempt.outcome, attempt.name


def test_where_somebody_listens_already_programs_are_contained_all_the_same(
    program: Path, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_listener(containment: Any, *, with_listener: bool = False) -> int:
        if with_listener:
            raise OSError(errno.EBUSY, "another filter has a listener")
        return real(containment)

    real = guard.enter
    monkeypatch.setattr(guard, "enter", refuse_listener)
    monkeypatch.setattr(GUARDS, "is_usable", False)  # the nursery does not know of this
    own = tmp_path / "own"
    own.mkdir()
    for number, attempt in enumerate(ATTEMPTS, 1):
        if attempt.name in ("a file of its own", "a child", "create", "TCP", "signal to the parent"):
            limits = Limits(seconds=2, writable=(own,))
            assert describe(run_program((program, str(number)), own, limits)) == attempt.outcome, attempt.name


def test_there_are_many_attempts() -> None:
    assert len(ATTEMPTS) >= 100
    assert len({each.name for each in ATTEMPTS}) == len(ATTEMPTS)
