"""llvm-cov, which did not come from us, must judge the MC/DC of our suites as we do.

First what clang 19 and llvm-cov say at all, so that nothing below rests on a guess; then our verdicts against theirs.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from differences import DIFFERENCES
from generated_mcdc import compare, generate, judge_suite
from llvm_cov import COVERED, FOLDED, NOT_COVERED, NOT_HERE, Judged, JudgedDecision, find_tools, judge, offset, slice_of
from mcdc_comparison import CHOOSER, PART, SAME, UNEVALUATED, WRONG
from one_solver import without_a_second_solver  # noqa: F401
from random_decisions import DecisionWriter
from token_places import body_of, read_tokens, without_marks
from twin import Marked, Table, Vector, reachable_vectors

TOOLS = find_tools()
pytestmark = pytest.mark.skipif(TOOLS is None, reason=NOT_HERE)

EVERY_INPUT = "for (int a = -128; a < 128; a++) for (int b = -128; b < 128; b++) f(a, b);"

# --- what llvm-cov says ------------------------------------------------------------------------


def judge_text(folder: Path, text: str, calls: str, function: str = "f") -> Judged:
    assert TOOLS
    tests = folder / "tests.c"
    tests.write_text(f"{text}\nint main(void) {{ {calls} return 0; }}\n")
    return judge(TOOLS, tests, function, folder / "judged")


def verdicts(judged: Judged) -> dict[str, str]:
    """`a && b` -> 'yn': for each condition whether it is covered; c for a constant."""
    letters = {COVERED: "y", NOT_COVERED: "n", FOLDED: "c"}
    return {
        slice_of(judged.text, each.start, each.end): "".join(letters[one.verdict] for one in each.conditions)
        for each in judged.decisions
    }


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("f(1, 1, 0);", "nnn"),
        ("f(1, 1, 0); f(0, 1, 0);", "ynn"),
        ("f(1, 1, 0); f(1, 0, 0);", "nyn"),
        ("f(0, 0, 0); f(0, 0, 1);", "nny"),
        ("f(0, 0, 0); f(1, 0, 1);", "nnn"),  # a differs as well as c
        ("f(1, 1, 0); f(1, 0, 0); f(0, 0, 0); f(1, 0, 1);", "yyy"),
    ],
)
def test_a_decision_is_read(tmp_path: Path, calls: str, expected: str) -> None:
    judged = judge_text(tmp_path, "int f(int a, int b, int c) { return (a && b) || c; }", calls)
    assert verdicts(judged) == {"(a && b) || c": expected}


def test_what_is_read_of_a_decision(tmp_path: Path) -> None:
    text = "#define IS(x) ((x) > 3)\nint f(int a, int b) {\n  if (IS(a) && !b)\n    return 1;\n  return 0; }"
    (decision,) = judge_text(tmp_path, text, "f(1, 1); f(4, 0);").decisions
    assert decision.vectors == (("F-", "F"), ("TT", "T"))
    assert [each.verdict for each in decision.conditions] == [COVERED, NOT_COVERED]


def test_a_run_that_crashes_is_counted(tmp_path: Path) -> None:
    text = "int f(int *p, int b) { return (b && p) + *p; }"
    assert verdicts(judge_text(tmp_path, text, "int x = 1; f(&x, 1); f(0, 1);")) == {"b && p": "ny"}


def test_a_run_that_does_not_end_is_counted(tmp_path: Path) -> None:
    text = "int f(int a, int b) { if (a && b) for (;;) ; return 0; }"
    assert verdicts(judge_text(tmp_path, text, "f(0, 1); f(1, 0); f(1, 1);")) == {"a && b": "yy"}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_what_clang_does(tmp_path: Path, name: str) -> None:
    statement, _, expected, refused = DIFFERENCES[name]
    text = (
        "static _Bool t; static int same(int x) { return x; }\n"
        f"int f(int a, int b) {{ int r = 0;\n{statement}\nreturn r; }}"
    )
    calls = "for (int i = 0; i < 8; i++) { t = i & 1; f(i >> 1 & 1, i >> 2); }"
    judged = judge_text(tmp_path, text, calls)
    assert verdicts(judged) == expected
    assert [
        judged.text[offset(judged.text, place) :].split(")) r++")[0].split(") r++")[0] for place in judged.refused
    ] == list(refused)


def test_the_page_has_the_same_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "llvm-cov.md").read_text()
    rows = [
        f"| {name} | `{c.replace('|', chr(92) + '|')}` | {why.replace('|', chr(92) + '|')} |"
        for name, (c, why, _, _) in DIFFERENCES.items()
    ]
    assert [row for row in rows if row not in page] == []


# --- every input of random functions -----------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_twin_and_llvm_cov_see_the_same_vectors(tmp_path: Path, seed: int) -> None:
    """The judge of test_brute_force_decisions.py is judged itself."""
    marked = DecisionWriter(f"plain {seed}", is_plain=True).function(6)
    marks = read_marks(marked, tmp_path)
    seen = reachable_vectors(marked, EVERY_INPUT, tmp_path)
    judged = judge_text(tmp_path, marked.plain, EVERY_INPUT)
    assert read_tokens(judged.text, *body_of(judged.text, "f")).words == marks.words
    found = {marks.find(judged, decision): decision for decision in judged.decisions}
    assert sorted(found) == [number for number in marked.trees if marked.count(number) > 1]
    for number, decision in found.items():
        shown = marks.shown(judged, decision, number, seen[number])
        assert set(decision.vectors) in (shown, {(values, "TF"[outcome == "T"]) for values, outcome in shown})
        table = Table(marked, number, seen[number])
        for index, condition in enumerate(decision.conditions):
            assert condition.verdict == FOLDED or (condition.verdict == COVERED) == table.unique_cause(index)


@dataclass(frozen=True, slots=True)
class Marks:
    """Where the marks of a text are, in tokens of f's body after preprocessing."""

    words: tuple[str, ...]
    spans: dict[tuple[int, int | None], tuple[int, int]]

    def conditions(self, number: int) -> list[int]:
        """The first token of each condition of a decision."""
        return [
            start
            for (decision, index), (start, _) in sorted(self.spans.items(), key=str)
            if decision == number and index is not None
        ]

    def find(self, judged: Judged, decision: JudgedDecision) -> int:
        """The marked decision that this is: its conditions start at the same tokens, but for brackets and `!`."""
        starts = self.starts(judged, decision)
        (found,) = (number for number, _ in self.spans if _ is None and self._are_at(starts, self.conditions(number)))
        return found

    def starts(self, judged: Judged, decision: JudgedDecision) -> list[int]:
        tokens = read_tokens(judged.text, *body_of(judged.text, "f"))
        return [tokens.number_at(offset(judged.text, each.start)) for each in decision.conditions]

    def _are_at(self, starts: list[int], own: list[int]) -> bool:
        pairs = zip(starts, own, strict=False)
        return len(starts) == len(own) and all(a <= b and set(self.words[a:b]) <= {"(", "!"} for a, b in pairs)

    def shown(
        self, judged: Judged, decision: JudgedDecision, number: int, vectors: Sequence[Vector]
    ) -> set[tuple[str, str]]:
        """The twin's vectors as llvm-cov would show them: `!a` is the condition there, and a constant is C."""
        starts = self.starts(judged, decision)
        negated = [self.words[a:b].count("!") % 2 for a, b in zip(starts, self.conditions(number), strict=True)]
        folded = [each.verdict == FOLDED for each in decision.conditions]
        return {
            (
                "".join(_letter(value, *how) for value, *how in zip(each.values, negated, folded, strict=True)),
                "FT"[each.outcome],
            )
            for each in vectors
        }


def _letter(value: bool | None, negated: int, folded: bool) -> str:
    if folded:
        return "C"
    return "-" if value is None else "FT"[value ^ negated]


def read_marks(marked: Marked, folder: Path) -> Marks:
    assert TOOLS
    source, flat = folder / "words.c", folder / "words_flat.c"
    source.write_text(marked.words)
    subprocess.run([TOOLS.clang, "-E", "-P", "-w", str(source), "-o", str(flat)], check=True)
    text = flat.read_text()
    return Marks(*without_marks(read_tokens(text, *body_of(text, "f"))))


# --- our suites ------------------------------------------------------------------------------------

DECISIONS = Path(__file__).parent / "decisions.c"
FUNCTIONS = re.findall(r"^int (\w+)\(", DECISIONS.read_text(), re.MULTILINE)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_unique_cause_is_judged_alike(tmp_path: Path, function: str) -> None:
    """And what we do not call covered was proved infeasible, so llvm-cov has 100 % of what can be had."""
    assert TOOLS
    suite, rows = compare(TOOLS, DECISIONS, function, (), "unique-cause", tmp_path)
    assert [str(row) for row in rows if row.explanation == WRONG] == []
    assert [row for row in rows if row.explanation == SAME]
    assert suite.is_complete
    missing = [row for row in rows if row.theirs == NOT_COVERED and row.explanation not in (CHOOSER, UNEVALUATED)]
    assert [str(row) for row in missing if "covered" in row.ours.split(", ")] == []


@pytest.mark.parametrize("function", ["plain", "operators", "coupled"])
def test_masking_is_weaker(tmp_path: Path, function: str) -> None:
    assert TOOLS
    suite, rows = compare(TOOLS, DECISIONS, function, (), "masking", tmp_path)
    assert [str(row) for row in rows if row.explanation == WRONG] == []
    assert suite.is_complete


@pytest.mark.parametrize("is_plain", [True, False])
def test_random_decisions_are_judged_alike(tmp_path: Path, is_plain: bool) -> None:
    assert TOOLS
    program = tmp_path / "unit.c"
    program.write_text(DecisionWriter("judged", is_plain=is_plain).function(4).plain)
    _, rows = compare(TOOLS, program, "f", (), "unique-cause", tmp_path)
    assert [str(row) for row in rows if row.explanation == WRONG] == []
    assert [row for row in rows if row.explanation in (SAME, PART)]


def test_a_wrong_verdict_is_noticed(tmp_path: Path) -> None:
    assert TOOLS
    program = tmp_path / "unit.c"
    program.write_text("int f(int a, int b) { if (a > 3 && b) return 1; return a == 1 || b == 2; }\n")
    suite = generate(program, "f", (), "unique-cause", tmp_path)
    assert set(suite.verdicts.values()) == {"covered"}
    comparison = judge_suite(TOOLS, suite, tmp_path / "judged")
    assert [row.explanation for row in comparison.rows()].count(WRONG) == 0
    for key in suite.verdicts:
        wrong = comparison.with_verdicts({**suite.verdicts, key: "infeasible"})
        assert [row.explanation for row in wrong.rows()].count(WRONG) == 1
