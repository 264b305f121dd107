"""Programs whose guards a small process forks start, end and are limited as those whose guards we fork ourselves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tightrope.suite import native
from tightrope.suite.guard import Limits
from tightrope.suite.guard_nursery import FIRST, GUARDS, Order
from tightrope.suite.native import Ended, run_program

ROOMY = Limits(seconds=20.0, memory=1 << 33)
STATE = """
import json, os, resource, signal, sys
numbers = [signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM]
status = open("/proc/self/status").read()
blocked, ignored = (status.split(name)[1].split()[0] for name in ("SigBlk:", "SigIgn:"))
print(json.dumps([
    os.getcwd(), sorted(os.environ.items()), blocked, ignored, sys.argv[1:], os.listdir("/proc/self/fd"), os.umask(0),
    [resource.getrlimit(each) for each in range(16)], os.getpgrp() == os.getpid(), os.getsid(0) == os.getppid(),
    [os.readlink(f"/proc/self/fd/{each}") for each in (0, 2)], os.getpriority(os.PRIO_PROCESS, 0),
    [line for line in status.splitlines() if line.startswith(("Cap", "NoNewPrivs", "Seccomp:"))],
]))
"""

pytestmark = pytest.mark.skipif(not GUARDS.is_usable, reason="this system has no nursery of guards")


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GUARDS, "programs", FIRST)
    monkeypatch.setattr(native, "leave_guard", lambda *given: pytest.fail("this process was copied"))


def run(script: str, folder: Path, limits: Limits = ROOMY, *words: str) -> Ended:
    return run_program((sys.executable, "-S", "-c", script, *words), folder, limits, {"FURTHER": "\udcff"})


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Where the tests run in the background of a shell, it may ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_program_finds_the_same_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GUARDS, "is_usable", False)
    limits = Limits(seconds=20.0, memory=1 << 33, output=1 << 20, temporary=tmp_path)
    expected = run(STATE, tmp_path, limits, "one", "\udcff")
    monkeypatch.setattr(GUARDS, "is_usable", True)
    monkeypatch.setattr(GUARDS, "programs", FIRST)
    monkeypatch.setattr(native, "leave_guard", lambda *given: pytest.fail("this process was copied"))
    found = run(STATE, tmp_path, limits, "one", "\udcff")
    assert expected.status == found.status == 0
    assert json.loads(found.output) == json.loads(expected.output)


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("pass", 0),
        ("raise SystemExit(7)", 7),
        ("import os; os.abort()", -6),
        ("import os; os.kill(os.getpid(), 2)", -2),
    ],
)
def test_its_status_is_told(script: str, status: int, tmp_path: Path) -> None:
    assert run(script, tmp_path).status == status


@pytest.mark.usefixtures("apart")
def test_it_is_stopped_in_time_with_all_that_it_has_started(tmp_path: Path) -> None:
    script = "import os, time\nif os.fork() == 0: os.setsid()\nprint(os.getpid(), flush=True)\ntime.sleep(60)"
    start = time.monotonic()
    ended = run(script, tmp_path, Limits(seconds=1.0, memory=1 << 33))
    assert ended.was_stopped and ended.status == -9 and time.monotonic() - start < 30
    processes = ended.output.split()
    assert len(processes) == 2
    wait_until(lambda: not [each for each in processes if is_alive(int(each))])  # the machine may have been stopped


@pytest.mark.usefixtures("apart")
def test_what_it_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    script = "import os, time\nif os.fork() == 0: os.setsid(); time.sleep(60)\nprint(1)"
    start = time.monotonic()
    assert run(script, tmp_path).status == 0
    assert time.monotonic() - start < 30


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"  # ended; X is one that is being waited for at this moment
    except OSError:  # ProcessLookupError: it ended while we read
        return False


@pytest.mark.usefixtures("apart")
def test_where_the_nursery_was_killed_a_program_is_not_said_to_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("print(1)", tmp_path).output == "1\n"
    nursery = GUARDS._process
    assert nursery is not None
    nursery.kill()
    nursery.wait()
    monkeypatch.undo()
    GUARDS.programs = FIRST
    ended = run("print(2)", tmp_path)
    assert (ended.status, ended.output) in ((0, "2\n"), (126, ""))
    assert run("print(3)", tmp_path).output == "3\n"  # we fork, from now on
    GUARDS.close()
    GUARDS.is_usable = True


def test_a_program_ends_with_its_starter(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from tightrope.suite.guard import Limits
from tightrope.suite.guard_nursery import FIRST, GUARDS
from tightrope.suite.native import run_program
GUARDS.programs = FIRST
text = "import os, time; open('started', 'w').write(str(os.getpid())); os.rename('started', 'pid'); time.sleep(60)"
here = Path({str(tmp_path)!r})
run_program(({sys.executable!r}, "-S", "-c", text), here, Limits(30.0, 1 << 33, writable=(here,)))
"""
    starter = subprocess.Popen([sys.executable, "-c", script])
    told = tmp_path / "pid"
    wait_until(told.exists)
    program = int(told.read_text())
    assert is_alive(program)
    starter.send_signal(signal.SIGKILL)
    starter.wait()
    wait_until(lambda: not is_alive(program))


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_copy_of_this_process_has_a_nursery_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GUARDS, "programs", FIRST)
    assert run("print(1)", tmp_path).output == "1\n"
    ours = GUARDS._process
    child = os.fork()
    if not child:
        os._exit(0 if not GUARDS.pays and GUARDS._process is None else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert GUARDS._process is ours is not None


def test_an_order_is_the_same_when_it_arrives(tmp_path: Path) -> None:
    limits = Limits(1.5, 1 << 31, 77, (tmp_path, tmp_path / "file"))
    order = Order(["a", "\udcff"], {"A": "\u00e9"}, tmp_path, limits, native.find_powers())
    assert Order.unpack(order.pack()) == order
