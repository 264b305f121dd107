"""A search over code that kills, hangs and changes its process: each death is reported with its input, what a test can
show is covered and confirmed, and no process is left (see `mark`)."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from deeds import CHANGES, CRASHES, EXITS, HANGS, Deed, no_stubs, switch
from left_behind import marked

from tightrope import cli

# Deeds that a test program cannot survive, although the worker does, or that have another result each time.
NOT_CONFIRMED = ("memory until there is none", "mapped memory until there is none", "a child that returns")


def generate(folder: Path, text: str, *words: str) -> dict[str, Any]:
    unit, report = folder / "unit.c", folder / "report.json"
    unit.write_text(text)
    options = ["-c", "branch", "-o", str(folder / "tests"), "--json", str(report), "--quiet", *no_stubs(text), *words]
    assert cli.main(["generate", f"{unit}:act", *options]) == 0
    (found,) = json.loads(report.read_text())["units"]
    assert found["statistics"]["divergences"] == 0
    return dict(found)


def not_covered(unit: dict[str, Any], deeds: list[Deed]) -> list[str]:
    """Names of the deeds whose case no test comes to."""
    cases = [each for each in unit["objectives"] if each["text"].startswith("case ")]
    open_cases = [int(each["text"].split()[1]) for each in cases if each["verdict"] != "covered"]
    assert len(cases) == len(deeds)
    return [deeds[number - 1].name for number in open_cases]


@pytest.mark.parametrize("deeds", [CRASHES, EXITS, HANGS[1:3]], ids=["crashes", "exits", "hangs"])
def test_each_death_is_reported_with_its_input(deeds: list[Deed], tmp_path: Path, mark: str) -> None:
    limit = "0.2" if deeds[0].outcome == "timed_out" else "5"  # what ends by itself does so on a busy machine, too
    unit = generate(tmp_path, switch(deeds), "--run-time-limit", limit, "--time-limit", "15")
    assert deeds is not EXITS or not_covered(unit, deeds) == []
    cases = [each for each in unit["objectives"] if each["text"].startswith("case ")]
    reasons = {each["reason"] for each in cases if each["verdict"] != "covered"}
    assert reasons <= {"only_endless" if deeds is not CRASHES else "only_crashing"}
    assert unit["confirmation"]["different"] == []
    died = {run["inputs"]["what"]: run for run in unit["crashes"]}
    for number, deed in enumerate(deeds, 1):
        assert died[number]["outcome"] == deed.outcome, deed.name
        assert deed.reason in died[number]["reason"], deed.name
        assert died[number]["line"] > 1


def test_changes_of_the_process_harm_no_test(tmp_path: Path, mark: str) -> None:
    deeds = [deed for deed in CHANGES if deed.name not in NOT_CONFIRMED]
    unit = generate(tmp_path, switch(deeds))
    assert not_covered(unit, deeds) == []
    assert [test["inputs"]["what"] for test in unit["tests"] if test["outcome"] != "returned"] == []
    assert unit["confirmation"]["different"] == []


def keeper_of(runner: Any) -> int:
    return int(runner.worker.process.pid)


SLEEPY = "#include <unistd.h>\nint act(int what) { if (what == 1) sleep(5); return what + 1; }"


def test_a_keeper_that_is_killed_between_runs_is_replaced(start_unit) -> None:
    unit = start_unit(SLEEPY, "act")
    first = unit.run(0)
    for _ in range(2):
        os.kill(keeper_of(unit.runner), signal.SIGKILL)
        time.sleep(0.05)
        assert unit.run(0) == first


def test_a_keeper_that_is_killed_during_a_run_is_replaced(start_unit) -> None:
    unit = start_unit(SLEEPY, "act", "--run-time-limit", "3")
    first = unit.run(0)
    threading.Timer(0.3, os.kill, (keeper_of(unit.runner), signal.SIGKILL)).start()
    start = time.monotonic()
    assert unit.run(1).ending.outcome.value == "crashed"
    assert time.monotonic() - start < 2.5
    assert unit.run(0) == first


def test_a_keeper_that_is_stopped_is_replaced(start_unit, monkeypatch) -> None:
    monkeypatch.setattr("tightrope.running.runner.GRACE", 0.3)
    unit = start_unit(SLEEPY, "act", "--run-time-limit", "0.2")
    first = unit.run(0)
    os.kill(keeper_of(unit.runner), signal.SIGSTOP)
    assert unit.run(1).ending.outcome.value == "timed_out"
    assert unit.run(0) == first


LONG = """\
int act(unsigned a, unsigned b, unsigned c)
{
    unsigned n = 0;
    for (int i = 0; i < 12; i++) {
        if (a >> i & 1) n += b;
        if (c >> i & 1) n ^= a;
    }
    return (int)n;
}
"""


@pytest.fixture
def long_search(tmp_path: Path, mark: str):
    (tmp_path / "unit.c").write_text(LONG)
    words = ["generate", "unit.c:act", "--exhaustive", "--time-limit", "2", "--json", "report.json", "--no-confirm"]
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    process = subprocess.Popen([sys.executable, "-m", "tightrope", *words], cwd=tmp_path, env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    yield process
    process.kill()
    process.communicate()


def workers(mark: str) -> list[int]:
    """The nursery, keepers and servers."""
    return [int(line.split(":")[0]) for line in marked(mark) if "tightrope.running.nursery" in line]


def test_the_command_survives_the_death_of_its_workers(long_search, tmp_path: Path, mark: str) -> None:
    for _ in range(2):
        time.sleep(0.7)
        for process in workers(mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    _, errors = long_search.communicate(timeout=20)
    assert long_search.returncode == 0, errors
    (unit,) = json.loads((tmp_path / "report.json").read_text())["units"]
    assert {objective["verdict"] for objective in unit["objectives"]} == {"covered"}
    assert unit["statistics"]["runs"] > 100


def test_workers_end_when_the_command_is_killed(long_search, mark: str) -> None:
    deadline = time.monotonic() + 10
    while len(workers(mark)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    long_search.kill()
    long_search.communicate()
    deadline = time.monotonic() + 3
    while workers(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers(mark) == []
