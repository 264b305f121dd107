"""Ctrl-C: the search ends, what was found is kept and written; exit 130."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli
from tightrope.commands.generate import generate
from tightrope.commands.generate.executors.executor import ThisProcess
from tightrope.commands.generate.executors.interrupts import SWITCH, interruptible
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.report.as_rows import RowPrinter
from tightrope.report.model import NOT_TRIED, Report, Tool, UnitReport
from tightrope.running.runner import Runner
from tightrope.search.kept_runs import KeptRuns
from tightrope.search.loop import Search
from tightrope.search.strategies.late_last import LateLast

LONG = """\
int walk(unsigned a, unsigned b, unsigned c)
{
    unsigned n = 0;
    for (int i = 0; i < 16; i++) {
        if (a >> i & 1) n += b;
        if (c >> i & 1) n ^= a;
    }
    return (int)n;
}
int after(int a) { if (a) return 1; return 0; }
"""


def start(folder: Path, *words: str, grace: float = 60.0) -> subprocess.Popen[str]:
    """`grace`: seconds for functions at work; many, so that results do not depend on the load of the machine."""
    (folder / "long.c").write_text(LONG)
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), SWITCH: str(grace)}
    environment.pop("TIGHTROPE_PARANOID", None)  # Z3 complains when it is interrupted while it starts
    command = [sys.executable, "-m", "tightrope", "generate", "long.c", "--exhaustive", "-v", "-o", "tests", *words]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in the background of a shell
    )


def wait_for(process: subprocess.Popen[str], text: str) -> None:
    """Until this is on standard error."""
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return
    pytest.fail("it ended too early")


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    """As the terminal does: to the whole group."""
    os.killpg(process.pid, signal.SIGINT)
    return process.communicate(timeout=20)


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupt_during_the_search_keeps_what_was_found(jobs: int, tmp_path: Path) -> None:
    process = start(tmp_path, "--json", "report.json", "--jobs", str(jobs))
    wait_for(process, "walk: searching")
    out, err = interrupt(process)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    units = {unit["function"]: unit for unit in json.loads((tmp_path / "report.json").read_text())["units"]}
    assert units["walk"]["stop_reason"] == "interrupted"
    assert {objective["verdict"] for objective in units["walk"]["objectives"]} == {"covered"}
    assert units["walk"]["confirmation"]["same"] == len(units["walk"]["tests"])
    assert (tmp_path / "tests" / "test_long_walk.c").exists()
    assert "walk" in out


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_not_finished_in_time_is_given_up(jobs: int, tmp_path: Path) -> None:
    process = start(tmp_path, "--json", "report.json", "--jobs", str(jobs), grace=0.0)
    wait_for(process, "walk: searching")
    _, err = interrupt(process)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    units = json.loads((tmp_path / "report.json").read_text())["units"]
    assert {unit["function"] for unit in units} == {"walk", "after"}
    left = sum(unit["stop_reason"] == "not tested: interrupted before it was tested" for unit in units)
    assert f"tightrope: interrupted: {left} of 2 functions were not tried" in err


def test_an_interrupt_that_python_drops_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be raised where Python cleans up or forks; the next one follows."""

    class Left:
        def __init__(self, problem: BaseException) -> None:
            self.problem = problem

        def __del__(self) -> None:
            raise self.problem

    told: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type.__name__))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us without it
    try:
        with interruptible():
            Left(KeyboardInterrupt())
            Left(ValueError())
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == ["ValueError"]


def test_interrupt_before_the_search(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for(process, "compiling")
    _, err = interrupt(process)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_interrupt_while_the_result_is_put_together_loses_nothing(tmp_path: Path) -> None:
    process = start(tmp_path, "--json", "report.json", "--time-limit", "0.5")
    wait_for(process, "walk: shrinking")
    _, err = interrupt(process)
    assert process.returncode == 130, err
    unit, *others = json.loads((tmp_path / "report.json").read_text())["units"]
    assert unit["function"] == "walk"
    assert unit["tests"] != []
    assert {each["stop_reason"] for each in others} == {"not tested: interrupted before it was tested"}
    assert (tmp_path / "tests" / "test_long_walk.c").exists()


HARD = """\
int hard(unsigned long long a, unsigned long long b)
{
    unsigned long long n = 1;
    for (int i = 0; i < 64; i++) {
        if (n >> (i & 31) & 1)
            n += b;
        n = n * (a | 1) + (b ^ n >> 29);
        n ^= n >> 17;
    }
    return n == 0x123456789abcdef1;
}
int after(int a) { return a > 3; }
"""


COUNTS = """\
int first(unsigned a) { int n = 0; for (int i = 0; i < 8; i++) if (a >> i & 1) n++; return n; }
int after(int a) { if (a) return 1; return 0; }
"""


@pytest.mark.parametrize(("criterion", "place"), [("branch", (Search, "_try")), ("wm", (Runner, "trace"))])
def test_interrupt_after_the_last_objective_ends_the_command(
    criterion: str, place: tuple[type, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the search looks for run-time errors, or while it is determined which labels its runs cover."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.c").write_text(COUNTS)
    begin = {"branch": (LateLast, "look_for_errors"), "wm": (KeptRuns, "complete")}[criterion]
    usual, awaited = getattr(*place), getattr(*begin)

    def interrupted(*words: object, **more: object) -> None:
        monkeypatch.setattr(*place, usual)
        raise KeyboardInterrupt

    def begun(*words: object) -> object:
        monkeypatch.setattr(*begin, awaited)
        monkeypatch.setattr(*place, interrupted)
        return awaited(*words)

    monkeypatch.setattr(*begin, begun)
    assert cli.main(["generate", "long.c", "-c", criterion, "-o", "tests", "--json", "report.json"]) == 130
    assert getattr(*place) is usual
    units = {unit["function"]: unit for unit in json.loads((tmp_path / "report.json").read_text())["units"]}
    assert units["first"]["stop_reason"] == "interrupted"
    assert {each["verdict"] for each in units["first"]["objectives"]} <= {"covered", "infeasible"}
    assert units["after"]["stop_reason"] == f"not tested: {NOT_TRIED}"


def test_after_an_interrupt_no_further_round_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--total-time: the executor has ended its work, and what is finished could be searched for longer."""
    asked = []

    class Interrupted(ThisProcess):
        def run(self, work: Any, jobs: Any, groups: Any = ()) -> Any:
            asked.append(len(jobs))
            yield from super().run(work, jobs[:1])

    monkeypatch.setattr(generate, "_choose_executor", lambda options, jobs: Interrupted())
    monkeypatch.chdir(tmp_path)
    Path("unit.c").write_text(HARD)
    words = ["unit.c", "--jobs", "2", "--total-time", "60", "--time-limit", "1", "-q", "--json", "report.json"]
    assert cli.main(["generate", *words]) == 130
    assert asked == [2]
    units = json.loads(Path("report.json").read_text())["units"]
    assert [unit["stop_reason"] for unit in units][1:] == ["not tested: interrupted before it was tested"]


def test_an_interrupt_before_any_function_is_finished_is_told_in_few_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There may be thousands of functions."""
    units = tuple(UnitReport.refused("long.c", f"f{at}", ("branch",), NOT_TRIED) for at in range(100))
    report = Report(Tool("tightrope", "0"), units, is_interrupted=True)
    options = Options((Target(tmp_path / "long.c"),))
    assert cli.show(report, options, RowPrinter()) == 130
    told = capsys.readouterr()
    assert told.out.startswith("100 functions, 100 of them not tested\n")
    assert len(told.out.splitlines()) < 6
    assert "100 of 100 functions were not tried" in told.err


def test_a_second_interrupt_ends_at_once(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for(process, "searching")
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.1)
    interrupt(process)
    assert process.returncode == 130
    assert not list((tmp_path / "tests").glob(".*"))  # nothing half-written
