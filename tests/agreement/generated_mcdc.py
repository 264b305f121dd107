"""A suite for MC/DC from the command line, with our verdict on each condition and the text that its decisions are in."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from llvm_cov import Tools, judge
from mcdc_comparison import Comparison, Row
from wanted_words import wanted_words

import tightrope
from tightrope import cli
from tightrope.command_line.arguments import read_options
from tightrope.commands.generate import pipeline
from tightrope.harness.driver import DRIVER_FILE
from tightrope.options.options import Options
from tightrope.program.decisions.decisions import Decision
from tightrope.source.preprocess import preprocess
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import _driver_text, prepare_unit
from tightrope.units.prepared import PreparedUnit

Verdicts = dict[tuple[int, int], str]  # by decision and condition
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
    verdicts: Verdicts

    @property
    def is_complete(self) -> bool:
        return all(each["verdict"] != "unknown" for each in self.unit["objectives"])


def generate(program: Path, function: str, words: Sequence[str], form: str, folder: Path) -> GeneratedSuite:
    report, output = folder / "report.json", folder / "tests"
    asked = ["--criterion", "mcdc", "--mcdc-form", form, *words]
    target = f"{program}:{function}"
    output_words = ["--json", str(report), "--quiet", "--no-confirm", "--output", str(output)]
    kept: list[PreparedUnit] = []
    with mock.patch.object(pipeline, "prepare_unit", lambda *given: kept.append(prepare_unit(*given)) or kept[-1]):
        assert cli.main(["generate", target, *asked, *output_words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    name, flags, text, decisions = _look_at(kept[-1], read_options(["generate", target, *asked]))
    tests = next(output.glob("*.c"), output / "none.c")  # no test is written where there is nothing to cover
    verdicts = _verdicts(decisions, unit["objectives"], form)
    return GeneratedSuite(name, form, unit, tests, flags, text, decisions, verdicts)


def _look_at(unit: PreparedUnit, options: Options) -> tuple[str, tuple[str, ...], str, tuple[Decision, ...]]:
    """The function as it was prepared."""
    flags = _driver_text(unit.file, unit.driver, options).flags
    where = unit.file.working_directory
    text = preprocess(unit.file.compiler, unit.driver.text, flags, working_directory=where, name=DRIVER_FILE)
    name = unit.interface.call_name
    decisions = tuple(each for each in unit.marks.decisions if each.function == f"@{name}")
    return name, flags, text, decisions


def _verdicts(decisions: Sequence[Decision], objectives: Sequence[dict[str, Any]], form: str) -> Verdicts:
    """By decision and condition: of one or two objectives each."""
    found: dict[tuple[int, int], list[str]] = {}
    about = [each for each in objectives if each["kind"] not in ("entry", "exit")]  # llvm-cov counts those as functions
    for (number, word), objective in zip(wanted_words("mcdc", decisions, form), about, strict=True):
        assert objective["id"].split("#")[0].endswith(f":{word}")
        index = int(word.split(":")[0].removeprefix("c")) - 1
        found.setdefault((number, index), []).append(objective["verdict"])
    return {key: _join(each) for key, each in found.items()}


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
