"""Every criterion on every program of tests/programs, tests/regressions and examples, each suite measured from scratch.

    python tests/agreement/every_criterion.py [--jobs N] [--criteria NAME,...] [--only WORD] [--alone]

`generate` writes a suite and says what it covers; `measure` builds the written tests without anything that the search
knew. Both must give every objective the same verdict. With --alone each criterion has an exploration of its own;
otherwise all share one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "src"), str(ROOT / "tests" / "programs")]

from expectations import read_expectations  # noqa: E402

from tightrope.coverage.criteria import CRITERIA  # noqa: E402
from tightrope.options.options import OPTIONS  # noqa: E402

PATIENCE = 300  # seconds for one command
LIMIT = ("--time-limit", "10")
MOST_SHOWN = 10  # problems of one program

# Programs in which what a test covers depends on where its objects lie, or on what memory held before: a build of its own
# has other addresses. Their suites are measured, and may come out otherwise.
BY_CHANCE = {
    "bound_number_alias": "an address as a number",
    "bound_xor_list": "two addresses as one number",
    "bound_string_strcpy": "bytes of a local that nobody set",
}


@dataclass(frozen=True, slots=True)
class Job:
    program: Path
    function: str  # '': all of the file
    options: tuple[str, ...]
    criteria: tuple[str, ...]

    def __str__(self) -> str:
        target = f"{self.program.stem}:{self.function}" if self.function else self.program.stem
        return target if len(self.criteria) > 5 else f"{target} -c {','.join(self.criteria)}"

    def words(self, command: str) -> list[str]:
        target = f"{self.program}:{self.function}" if self.function else str(self.program)
        return [target, "--criterion", ",".join(self.criteria), *options_of(command, self.options)]


def options_of(command: str, words: Sequence[str]) -> Iterator[str]:
    """Those of the options that the command takes."""
    by_flag = {flag: option for option in OPTIONS.values() for flag in option.flags}
    left = iter(words)
    for flag in left:
        option = by_flag[flag]
        given = [flag] if option.is_switch else [flag, next(left)]
        yield from given if command in option.commands else ()


@dataclass(frozen=True, slots=True)
class Result:
    job: Job
    problems: tuple[str, ...]
    verdicts: Counter[tuple[str, str]]  # by criterion and verdict


def find_jobs(criteria: Sequence[str], *, alone: bool = False, only: str = "") -> Iterator[Job]:
    together = [(name,) for name in criteria] if alone else [tuple(criteria)]
    for program in programs():
        if only not in program.name:
            continue
        function, options = _how_to_run(program)
        yield from (Job(program, function, options, names) for names in together)


def programs() -> list[Path]:
    tests = ROOT / "tests"
    found = (tests / "programs").glob("*.c"), (tests / "regressions").glob("*.c"), (ROOT / "examples").glob("*.c")
    return [each for folder in found for each in sorted(folder)]


def _how_to_run(program: Path) -> tuple[str, tuple[str, ...]]:
    if program.parent.name == "examples":
        return "", ()
    expected = read_expectations(program.read_text(encoding="utf-8"))
    return expected.function, expected.options


def run(job: Job, folder: Path, command: Callable[[Sequence[str]], str] | None = None) -> Result:
    """Generate, measure, compare. Everything that is wrong is a sentence. `command`: how to run one of ours."""
    tightrope = command or _tightrope
    written, measured = folder / "generated.json", folder / "measured.json"
    suite = folder / "tests"
    said = tightrope(
        ["generate", *job.words("generate"), *LIMIT, "--json", str(written), "--quiet", "--output", str(suite)]
    )
    if said:
        return Result(job, (f"generate: {said}",), Counter())
    units = json.loads(written.read_text())["units"]
    problems = [sentence for unit in units for sentence in unsound(unit)]
    said = tightrope(["measure", *job.words("measure"), "--suite", str(suite), "--json", str(measured), "--quiet"])
    if said:
        problems.append(f"measure: {said}")
    elif job.program.stem not in BY_CHANCE:
        problems += _disagreements(units, json.loads(measured.read_text())["units"])
    counted = Counter((each["criterion"], each["verdict"]) for unit in units for each in unit["objectives"])
    return Result(job, tuple(problems), counted)


def _tightrope(words: Sequence[str]) -> str:
    """What went wrong with the command; '' when nothing did."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "tightrope", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"does not end within {PATIENCE} s"
    return "" if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip()[-400:]}"


def unsound(unit: dict[str, Any]) -> Iterator[str]:
    """What must never be in a report, whatever the program and the criterion."""
    if unit["statistics"]["divergences"]:
        yield f"{unit['statistics']['divergences']} divergences"
    confirmation = unit["confirmation"] or {"different": [], "disagreements": [], "problem": ""}
    yield from (f"{test} behaves differently without probes" for test in confirmation["different"])
    yield from (f"gcov: {each}" for each in confirmation["disagreements"])
    if confirmation["problem"]:
        yield confirmation["problem"]
    counted = Counter(each["id"] for each in unit["objectives"])
    yield from (f"{name} is the id of {count} objectives" for name, count in counted.items() if count > 1)


def _disagreements(generated: list[dict[str, Any]], measured: list[dict[str, Any]]) -> Iterator[str]:
    theirs = {unit["function"]: unit for unit in measured}
    for unit in generated:
        other = theirs.get(unit["function"])
        if other is None:
            yield f"{unit['function']} was not measured"
            continue
        yield from compare_units(unit, other)


def compare_units(unit: dict[str, Any], measured: dict[str, Any]) -> Iterator[str]:
    again = {each["id"]: each["verdict"] for each in measured["objectives"]}
    ours = {each["id"]: each["verdict"] for each in unit["objectives"]}
    yield from (f"{each}: {ours[each]}, and not measured" for each in ours if each not in again)
    yield from (f"{each}: measured, and not in the report" for each in again if each not in ours)
    for each, verdict in ours.items():
        if each in again and (verdict == "covered") != (again[each] == "covered"):
            yield f"{each}: generate says {verdict}, measure says {again[each]}"


# --- by hand --------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description="Every criterion on every program, each suite measured from scratch.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--criteria", default=",".join(CRITERIA))
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--alone", action="store_true", help="an exploration for each criterion")
    wanted = parser.parse_args()
    jobs = list(find_jobs(wanted.criteria.split(","), alone=wanted.alone, only=wanted.only))
    with ThreadPoolExecutor(wanted.jobs) as pool:
        results = list(pool.map(_run_and_say, jobs))
    _summarise(results)
    return any(each.problems for each in results)


def _run_and_say(job: Job) -> Result:
    with tempfile.TemporaryDirectory(prefix="tightrope-every-") as folder:
        result = run(job, Path(folder))
    for problem in result.problems[:MOST_SHOWN]:
        print(f"{job}: {re.sub(chr(10), ' | ', problem)}", flush=True)
    return result


def _summarise(results: Sequence[Result]) -> None:
    total: Counter[tuple[str, str]] = sum((each.verdicts for each in results), Counter())
    wrong = sum(bool(each.problems) for each in results)
    print(f"\n{len(results)} explorations, {wrong} with something wrong")
    print("| criterion | covered | infeasible | unknown |\n| --- | --: | --: | --: |")
    for name in dict.fromkeys(criterion for criterion, _ in total):
        counts = [total[name, verdict] for verdict in ("covered", "infeasible", "unknown")]
        print(f"| {name} | {' | '.join(map(str, counts))} |")


if __name__ == "__main__":
    sys.exit(main())
