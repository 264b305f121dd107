"""A suite for MC/DC from the command line, with our verdict on each condition and the text that its decisions are in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llvm_cov import Tools, judge
from mcdc_comparison import Comparison, Row

import tightrope
from tightrope import cli
from tightrope.cli import read_options
from tightrope.execution.driver import DRIVER_FILE
from tightrope.prepare import _driver_flags, prepare_file, prepare_unit
from tightrope.program.decisions import Decision
from tightrope.source.preprocess import preprocess
from tightrope.source.toolchain import find_compiler

INCLUDE = Path(tightrope.__file__).parent / "include"


@dataclass(frozen=True, slots=True)
class GeneratedSuite:
    function: str  # as it is called in the written tests
    form: str
    unit: dict[str, Any]  # of report.json
    tests: Path
    flags: tuple[str, ...]
    text: str  # preprocessed
    decisions: tuple[Decision, ...]
    verdicts: dict[tuple[int, int], str]  # by decision and condition

    @property
    def is_complete(self) -> bool:
        return all(each["verdict"] != "unknown" for each in self.unit["objectives"])


def generate(program: Path, function: str, words: Sequence[str], form: str, folder: Path) -> GeneratedSuite:
    report, output = folder / "report.json", folder / "tests"
    asked = ["--criterion", "mcdc", "--mcdc-form", form, *words]
    target = f"{program}:{function}"
    code = cli.main(["generate", target, *asked, "--json", str(report), "--quiet", "--output", str(output)])
    assert code == 0
    (unit,) = json.loads(report.read_text())["units"]
    name, flags, text, decisions = _look_at(["generate", target, *asked])
    tests = next(output.glob("*.c"), output / "none.c")  # no test is written where there is nothing to cover
    verdicts = dict(_verdicts(decisions, unit["objectives"]))
    return GeneratedSuite(name, form, unit, tests, flags, text, decisions, verdicts)


def _look_at(words: Sequence[str]) -> tuple[str, tuple[str, ...], str, tuple[Decision, ...]]:
    """The function once more, as it was prepared."""
    options = read_options(words)
    (target,) = options.targets
    compiler = find_compiler(options.compiler)
    file = prepare_file(compiler, target.file, options, lambda warning: None)
    unit = prepare_unit(file, str(target.function), options)
    flags = _driver_flags(file, options)
    where = file.working_directory
    text = preprocess(compiler, unit.driver.text, flags, working_directory=where, name=DRIVER_FILE)
    name = unit.interface.call_name
    decisions = tuple(each for each in unit.marks.decisions if each.function == f"@{name}")
    return name, file.flags.kept, text, decisions


def _verdicts(
    decisions: Sequence[Decision], objectives: Sequence[dict[str, Any]]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Objectives come in the order of the text, one or two for each condition that is no constant."""
    left = list(objectives)
    for number, decision in enumerate(decisions):
        for index, condition in enumerate(decision.conditions):
            found = []
            while condition.constant is None and left and _condition(left[0]) == index and len(found) < 2:
                if found and not left[0]["id"].split("#")[0].endswith(":false"):
                    break
                found.append(left.pop(0)["verdict"])
            if found:
                yield (number, index), _join(found)
    assert not left, f"objectives that belong to no condition: {left[:3]}"


def _condition(objective: dict[str, Any]) -> int:
    found = re.search(r":c(\d+)(:true|:false|:pair)?(#\d+)?$", objective["id"])
    assert found, objective["id"]
    return int(found[1]) - 1


def _join(verdicts: Sequence[str]) -> str:
    """Both values must be covered; one that cannot be makes the whole impossible."""
    return next((each for each in ("infeasible", "unknown") if each in verdicts), "covered")


def judge_suite(tools: Tools, suite: GeneratedSuite, folder: Path) -> Comparison:
    """Where the system's headers are other ones than the bundled compiler's, the latter preprocesses for both."""
    comparison = _judge(tools, suite, folder / "own", ())
    return comparison if comparison.is_possible else _judge(tools, suite, folder / "ours", find_compiler().command)


def _judge(tools: Tools, suite: GeneratedSuite, folder: Path, preprocessor: Sequence[str]) -> Comparison:
    count = len(re.findall(r"^    \{test_\w+, ", suite.tests.read_text(), re.MULTILINE))
    flags = (*suite.flags, f"-I{INCLUDE}")
    judged = judge(tools, suite.tests, suite.function, folder, flags, count, preprocessor)
    is_unique_cause = suite.form == "unique-cause"
    return Comparison(
        suite.text, suite.function, suite.decisions, suite.verdicts, judged, is_unique_cause=is_unique_cause
    )


def compare(
    tools: Tools, program: Path, function: str, words: Sequence[str], form: str, folder: Path
) -> tuple[GeneratedSuite, list[Row]]:
    """No rows when no test was written: nothing can be judged."""
    suite = generate(program, function, words, form, folder)
    if not suite.tests.exists():
        return suite, []
    comparison = judge_suite(tools, suite, folder / "judged")
    assert comparison.is_possible, "the two preprocessors give different tokens"
    return suite, list(comparison.rows())
