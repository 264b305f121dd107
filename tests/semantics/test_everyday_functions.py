"""Verdicts on random files that look like people's C, against native runs of all inputs and of the written tests.

A few are tried; `python -m bench.soundness --hours N` tries thousands, TIGHTROPE_SEEDS=100:200 these."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from everyday_functions import Everyday, everyday_file
from everyday_judge import Judgement, find_compilers, find_places, judge, run_everything, run_tests
from one_solver import without_a_second_solver  # noqa: F401
from twin import Marked, Vector

from tightrope import cli

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc, which did not come from us")

SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:3").split(":")))
ENGINES = ("auto", "search", "encoding")
CRITERIA = ("branch,mcdc,mcc", "branch,decision,condition,mcc", "mcdc,ncc,cacc")


@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged(seed, 1, tmp_path, monkeypatch)
    assert found.wrong == []
    assert found.counts["covered"] + found.counts["infeasible"] > found.counts["not judged"]


def judged(seed: int, functions: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Judgement:
    everyday = everyday_file(seed, functions)
    unit = folder / "unit.c"
    unit.write_text(everyday.marked.plain)
    seen = [run_everything(everyday, folder, compiler) for compiler in find_compilers()]
    assert all(each == seen[0] for each in seen), "the compilers do not agree"
    monkeypatch.chdir(folder)
    targets = [f"unit.c:{name}" for name in everyday.functions]
    said = [
        "-q",
        "-c",
        CRITERIA[seed % 3],
        "--engine",
        ENGINES[seed // 3 % 3],
        "--max-runs",
        "2000",
        "--time-limit",
        "10",
    ]
    assert cli.main(["generate", *targets, *said, "--json", "report.json", "-o", "tests"]) == 0
    units = json.loads((folder / "report.json").read_text())["units"]
    written = [folder / name for each in units for name in each["written"]]
    tested = run_tests(everyday, written, unit, folder, find_compilers()[0])
    return judge(everyday, units, seen[0], tested, "masking")


def test_wrong_verdicts_are_noticed() -> None:
    """An objective that is called infeasible although an input does it, and one that is called covered by no test."""
    everyday = everyday_file(0, 1)
    (line, column), decision = next(
        (place, number) for place, number in find_places(everyday).decisions.items() if number
    )
    values = (True, *[None] * (everyday.marked.count(decision) - 1))
    seen = {number: [Vector(values, True)] if number == decision else [] for number in everyday.marked.trees}
    objective = {"id": f"f0:condition:+{line - 1}.{column}:c1:true", "text": "", "line": line, "proof": "exhausted"}
    nothing: dict[int, list[Vector]] = {number: [] for number in seen}
    for verdict, is_wrong in (("infeasible", True), ("covered", True), ("unknown", False)):
        unit = {"line": 1, "objectives": [{**objective, "verdict": verdict}]}
        assert bool(judge(everyday, [unit], seen, nothing, "masking").wrong) == is_wrong
        assert not judge(everyday, [unit], nothing, seen, "masking").wrong


def test_a_place_belongs_to_the_innermost_decision() -> None:
    """Seed 61 of the campaign judged a decision behind a comma as the one around it."""
    text = "int f0(int a, int b) { return («0:«0.0:((«1:(steps++, (((«1.0:a > 1») || («1.1:b»))))») ? a : b) > 4»»); }"
    marked = Marked(text, {0: "c0", 1: "c0 or c1"}, {})
    places = find_places(Everyday(0, marked, ("f0",), "", ""))
    assert places.decisions[1, marked.plain.index("a > 1") - 1] == 1  # the bracket in front of it
    assert places.decisions[1, marked.plain.index("(((steps") + 1] == 0


def test_a_bracket_belongs_to_the_decision_that_it_holds() -> None:
    """Seed 485 of the campaign judged a call of a builtin, placed at the bracket in front of it, as what is around it."""
    text = "int f0(int a) { return «0:(«0.0:((\n\n«1:«1.0:over(a)»») ? a : 2) > 6») && («0.1:a»)»; }"
    marked = Marked(text, {0: "c0 and c1", 1: "c0"}, {})
    places = find_places(Everyday(0, marked, ("f0",), "", ""))
    bracket = marked.plain.index("((\n") + 2
    assert places.decisions[1, bracket] == places.decisions[3, 1] == 1
    assert places.decisions[1, bracket - 1] == places.decisions[1, bracket - 2] == 0


def test_a_constant_that_the_report_knows_counts_for_other_conditions() -> None:
    """Seed 299 of the campaign: with `(a, 8) >= 5`, which is constant, `b` cannot matter where it is true; that was
    denied because the author of the text had not called it constant. Without the constant it still is."""
    text = "int f0(int a, int b, int t) {\nreturn «0:((«0.0:b») ? («0.1:t») : («0.2:(a, 8) >= 5»)) || («0.3:b»)»; }"
    everyday = Everyday(0, Marked(text, {0: "(c1 if c0 else c2) or c3"}, {}), ("f0",), "", "")
    place = next(iter(find_places(everyday).decisions))
    seen = {0: [Vector((True, True, None, None), True), Vector((True, False, None, True), True)]}
    seen[0].append(Vector((False, None, True, None), True))

    def objective(word: str, proof: str) -> dict[str, object]:
        name = f"f0:gacc:+{place[0] - 1}.{place[1]}:{word}"
        return {"id": name, "text": "", "line": place[0], "verdict": "infeasible", "proof": proof}

    claimed, constant = objective("c1:true", "unsatisfiable"), objective("c3:false", "constant")
    alone = judge(everyday, [{"line": 1, "objectives": [claimed]}], seen, seen, "masking")
    assert len(alone.wrong) == 1
    both = judge(everyday, [{"line": 1, "objectives": [claimed, constant]}], seen, seen, "masking")
    assert both.wrong == []
    seen[0].append(Vector((False, None, False, False), False))  # a run in which it is false: no constant
    assert judge(everyday, [{"line": 1, "objectives": [claimed, constant]}], seen, seen, "masking").wrong
