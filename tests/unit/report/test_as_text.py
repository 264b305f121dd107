"""The report as people see it."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from tightrope.report.as_text import join_alike, report_lines, show_inputs
from tightrope.report.console import make_console
from tightrope.report.formats.text import render_text
from tightrope.report.model import Confirmation, Report, Statistics, Tool, UnitReport
from tightrope.report.progress import LiveLine, NoProgress, PlainLines, Snapshot, choose_progress, show_snapshot

EXPECTED = """\
f  f.c:9   branch 1/3 covered (33.3%), 1 infeasible (50% of feasible), 1 unknown   1 test from 12 runs in 0.50 s
  wrote tightrope-tests/test_f.c
  confirmed: 1 of 1 test gives the same result in a build without instrumentation; gcov 12.2.0 counts the same branches on 3 lines (1 counted differently)
  assuming a >= 0
  warning: CC is not used
  infeasible: every path was explored, and none covers it
    f.c:12:7  a > 3 is true
  unknown: no; try --time-limit
    f.c:13:7  a > 3 is true
       13 |     if (a > 3 && b)
          |          ^
  crashed: f.c:14:12  division by zero
    with a = 0
  approximate: f.c:20:3  inline assembly (2 times)
  pinned: f.c:21:3  length of a copy (tried with 4 values)
"""


def shown(report: Report) -> str:
    return render_text(report)


def test_everything_about_a_function(full_report) -> None:
    assert shown(full_report()) == EXPECTED


def test_several_functions_end_with_their_sum(full_report) -> None:
    unit = full_report().units[0]
    last = shown(Report(Tool("tightrope", "1"), (unit, unit))).strip().split("\n")[-1]
    assert last == "2 functions   branch 2/6 covered (33.3%), 2 infeasible (50% of feasible), 2 unknown"


def test_complete_coverage_is_one_line(full_report) -> None:
    unit = full_report().units[0]
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "done", unit.objectives[:1], unit.tests, Statistics())
    assert (
        shown(Report(Tool("tightrope", "1"), (unit,)))
        == "f  f.c   branch 1/1 covered (100%)   1 test from 0 runs in 0.00 s\n"
    )


def test_several_criteria_have_a_line_each(full_report) -> None:
    unit = full_report().units[0]
    other = replace(unit.objectives[0], criterion="mcdc", id="f:mcdc:+1.7:c1")
    unit = replace(unit, criteria=("branch", "mcdc"), objectives=(*unit.objectives, other))
    lines = shown(Report(Tool("tightrope", "1"), (unit, unit))).split("\n")
    assert lines[:3] == [
        "f  f.c:9   1 test from 12 runs in 0.50 s",
        "  branch  1/3 covered (33.3%), 1 infeasible (50% of feasible), 1 unknown",
        "  mcdc    1/1 covered (100%)",
    ]
    assert lines[-4:-1] == [
        "2 functions",
        "  branch  2/6 covered (33.3%), 2 infeasible (50% of feasible), 2 unknown",
        "  mcdc    2/2 covered (100%)",
    ]


def test_what_two_criteria_ask_in_the_same_words_is_said_once(full_report) -> None:
    unit = full_report().units[0]
    missing = unit.objectives[2]
    same = replace(missing, criterion="mcdc", id="f:mcdc:+3.3", column=3, text="`a > 3` is true")
    twice = replace(missing, id="f:branch:+3.20:true", column=20)
    unit = replace(unit, criteria=("mcdc", "branch"), objectives=(same, missing))
    assert shown(Report(Tool("tightrope", "1"), (unit,))).count("is true") == 1
    unit = replace(unit, criteria=("branch",), objectives=(missing, twice))
    assert shown(Report(Tool("tightrope", "1"), (unit,))).count("is true") == 2


def test_nothing_to_cover() -> None:
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "done", (), (), Statistics())
    assert "branch nothing to cover   0 tests" in shown(Report(Tool("tightrope", "1"), (unit,)))


@pytest.mark.parametrize(
    ("confirmation", "sentence"),
    [
        (
            Confirmation(0, problem="the written tests do not compile"),
            "not confirmed: the written tests do not compile",
        ),
        (
            Confirmation(0, different=("test_1",), details=("expected 1, got 2",)),
            "not written: test_1, which behaves differently in a build without instrumentation (expected 1, got 2)",
        ),
        (Confirmation(1, not_run=("test_2",)), "not written: 1 input that ends a run with instrumentation, but not"),
        (Confirmation(1, judge="gcov 12", disagreements=("line 3: gcc counts 1",)), "gcov 12 disagrees: line 3"),
    ],
)
def test_confirmation_that_failed_is_said(confirmation: Confirmation, sentence: str, full_report) -> None:
    unit = replace(full_report().units[0], confirmation=confirmation)
    assert sentence in shown(Report(Tool("tightrope", "1"), (unit,)))


def test_text_of_the_source_is_never_markup(full_report) -> None:
    unit = full_report().units[0]
    objective = replace(unit.objectives[2], source="  x[red] = a[/b] :smile:;", text="a[bold] is true")
    text = shown(Report(Tool("tightrope", "1"), (replace(unit, objectives=(objective,)),)))
    assert "x[red] = a[/b] :smile:;" in text
    assert "a[bold] is true" in text


def test_long_lines_are_not_wrapped(full_report) -> None:
    unit = full_report().units[0]
    objective = replace(unit.objectives[2], source="x" * 300)
    assert "x" * 300 in shown(Report(Tool("tightrope", "1"), (replace(unit, objectives=(objective,)),)))


def test_caret_stands_under_a_place_after_wide_characters(full_report) -> None:
    unit = full_report().units[0]
    objective = replace(unit.objectives[2], source="é = 1; if (a)", column=13)  # columns count bytes
    lines = [str(line) for line in report_lines(Report(Tool("t", "1"), (replace(unit, objectives=(objective,)),)))]
    at = next(number for number, line in enumerate(lines) if "é = 1" in line)
    assert lines[at][lines[at + 1].index("^")] == "a"


def test_assumptions_that_say_the_same_are_joined() -> None:
    many = ["n > 0 ? a : b", "p: NULL", "x->kind is a member of its enum", "q->next: NULL", "r[_]: NULL", "f(): zero"]
    assert list(join_alike(many)) == [
        "n > 0 ? a : b", "p, q->next, r[_]: NULL", "x->kind is a member of its enum", "f(): zero",
    ]  # fmt: skip
    assert list(join_alike(["a is a member of its enum", "b is a member of its enum"])) == [
        "a, b are members of their enums"
    ]
    assert list(join_alike([f"p{number}: NULL" for number in range(6)])) == ["p0, p1, p2, p3 and 2 more: NULL"]


def test_both_sides_share_a_line(full_report) -> None:
    unit = full_report().units[0]
    true = unit.objectives[2]
    false = replace(true, id="f:branch:+3.7:false", kind="false", text="a > 3 is false")
    text = shown(Report(Tool("tightrope", "1"), (replace(unit, objectives=(true, false)),)))
    assert "    f.c:13:7  a > 3 is true, is false\n" in text
    assert text.count("try --time-limit") == 1


def test_many_objectives_are_shown_without_their_lines(full_report) -> None:
    unit = full_report().units[0]
    many = tuple(replace(unit.objectives[2], id=str(number), line=number) for number in range(20, 30))
    text = shown(Report(Tool("tightrope", "1"), (replace(unit, objectives=many),)))
    assert text.count("a > 3 is true") == 10
    assert " | " not in text


def test_a_function_that_was_refused_says_why(full_report) -> None:
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "not tested: f takes `...`", (), ())
    assert shown(Report(Tool("tightrope", "1"), (unit,))) == "f  f.c   not tested: f takes `...`\n"


def test_sizes_that_were_chosen_are_blamed_first(full_report) -> None:
    unit = full_report().units[0]
    crash = replace(unit.crashes[0], reason="read out of bounds")
    chosen = replace(unit, crashes=(crash,), assumptions=("elements: p 1 (see --input)",))
    assert "if callers pass more elements than assumed" in shown(Report(Tool("tightrope", "1"), (chosen,)))
    assert "perhaps" not in shown(Report(Tool("tightrope", "1"), (replace(unit, crashes=(crash,)),)))


def test_long_inputs_are_cut() -> None:
    assert show_inputs({}) == "no input"
    assert show_inputs({"c": "-", "e": "RED"}) == "c = '-', e = RED"
    assert show_inputs({f"a[{number}]": 0 for number in range(40)}) == "every input 0"
    assert show_inputs({"a": 3, "b[0]": 0}) == "a = 3, b[0] = 0"
    assert show_inputs({"p": "NULL", "p->x": 3, "p[0]": 0, "*p": 1, "(*p)->y": 2, "pp": 4}) == "p = NULL, pp = 4"
    behind = {"*p": "NULL", "(*p)->q": "NULL", "(*p)->q[0].x": 3, "p2->x": 1, "*p2": 2, "q": 5}
    assert show_inputs(behind) == "*p = NULL, p2->x = 1, *p2 = 2, q = 5"
    assert show_inputs({"a[0]": "NULL", "a[0]->x": 1, "a[1]->x": 2}) == "a[0] = NULL, a[1]->x = 2"
    assert show_inputs({f"a[{number}]": number for number in range(40)}).endswith("a[12] = 12, ...")


@pytest.mark.parametrize(
    ("no_color", "force_color", "has_colour"), [("", "", False), ("", "1", True), ("1", "1", False), ("1", "", False)]
)
def test_colour(no_color: str, force_color: str, has_colour: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("FORCE_COLOR", force_color)
    to = io.StringIO()
    make_console(to).print("x", style="red")
    assert ("\x1b[" in to.getvalue()) is has_colour


# --- progress ----------------------------------------------------------------------------------

SNAPSHOT = Snapshot("f", "searching", covered=3, infeasible=1, total=8, runs=120, candidates=7, seconds=1.25)


def test_snapshot_in_one_line() -> None:
    assert show_snapshot(SNAPSHOT) == "f: searching   3/8 covered, 1 infeasible   120 runs   7 candidates   1.2 s"


def test_snapshot_says_how_much_of_the_time_limit_is_left() -> None:
    assert show_snapshot(Snapshot("f", "confirming", seconds=1.25, left=58.7)) == "f: confirming   1.2 s, 59 s left"
    assert show_snapshot(Snapshot("f", "confirming", seconds=70.0, left=-3.2)) == "f: confirming   70.0 s, 0 s left"


def test_live_line_is_rewritten_at_most_ten_times_a_second() -> None:
    to, times = io.StringIO(), iter([0.0, 0.05, 0.2])
    line = LiveLine(to, width=30, clock=lambda: next(times))
    for _ in range(3):
        line.show(SNAPSHOT)
    line.close()
    assert to.getvalue().count("searching") == 2
    assert all(len(part) <= 30 + len("\x1b[2K") for part in to.getvalue().split("\r"))
    assert to.getvalue().endswith("\r\x1b[2K")


def test_plain_lines_are_few() -> None:
    to, now = io.StringIO(), [0.0]
    lines = PlainLines(to, clock=lambda: now[0])
    for moment in (0.0, 3.0, 9.0, 11.0):
        now[0] = moment
        lines.show(SNAPSHOT)
    lines.show(replace(SNAPSHOT, stage="confirming"))
    lines.close()
    assert [line.split("   ")[0] for line in to.getvalue().splitlines()] == ["f: searching"] * 2 + ["f: confirming"]


def test_terse_lines_are_only_about_what_takes_long() -> None:
    to, now = io.StringIO(), [0.0]
    lines = PlainLines(to, clock=lambda: now[0], is_terse=True)
    for moment, stage in ((0.0, "compiling"), (3.0, "searching"), (11.0, "searching"), (12.0, "confirming")):
        now[0] = moment
        lines.show(replace(SNAPSHOT, stage=stage))
    assert [line.split("   ")[0] for line in to.getvalue().splitlines()] == ["f: searching"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_choice_of_progress() -> None:
    assert isinstance(choose_progress(is_quiet=True), NoProgress)
    assert isinstance(choose_progress(is_quiet=False, to=io.StringIO()), PlainLines)
    assert isinstance(choose_progress(is_quiet=False, to=Terminal(), is_terse=True), LiveLine)
    assert isinstance(choose_progress(is_quiet=False, to=Terminal(), is_terse=True, is_parallel=True), PlainLines)


def test_characters_of_one_array_are_shown_as_text():
    inputs = {
        "n": 3,
        "s": "an object",
        "s[0]": "a",
        "s[1]": 1,
        "s[2]": "=",
        "s[3]": 0,
        "t": "NULL",
        "t[0]": "x",
        "v[0]": 5,
    }
    assert show_inputs(inputs) == 'n = 3, s = "a\\x01=", t = NULL, v[0] = 5'
