"""What `tightrope diff` found, for people and for machines."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from schema_check import check

from tightrope.commands.diff.changes.change import ChangeKind
from tightrope.commands.diff.impact.impact import How
from tightrope.report.as_difference import print_difference
from tightrope.report.as_json import render_json, to_values, write_json
from tightrope.report.difference_model import (
    DifferenceReport,
    FunctionDifference,
    ReportedChange,
    ReportedDifference,
    ReportedEquality,
    ReportedImpact,
    ReportedLink,
    ReportedObservation,
    ReportedOldTest,
)
from tightrope.report.difference_words import say_change
from tightrope.report.model import Confirmation, ReportedObjective, ReportedTest, Statistics, Tool, UnitReport
from tightrope.report.schema import make_schema

EXPECTED = """\
old.c -> new.c: 1 function behaves differently, 1 is gone, 1 is proved equal, 2 are unchanged

fee  new.c:3   behaves differently
  different: fee_differs, with amount = 100, kind = GOLD
                                   old       new
    result                         3         4
    outcome                        returned  crashed: division by zero
    calls of log()                 1         -
    argument 1 of call 2 of log()  7         -
    the test passes with the new version and fails with the old one
  14 inputs were run on both versions
  change 1  new.c:5:16  expression `100` is now `99`
    changed itself
      covered     5:16  amount > 99 is true, is false
    depends on it
      infeasible  9:7   rate is true
  change 2  old.c:8:5  statement removed: `log(amount);` in note()
  impacted: 3 of 8 objectives   branch 2/3 covered (66.7%), 1 infeasible (100% of feasible)   2 tests from 4 runs in 0.01 s
  wrote tests/test_fee.c, tests/test_fee_differences.c
  confirmed: 2 of 2 tests give the same result in a build without instrumentation
  infeasible: every path was explored, and none covers it
    new.c:9:7  rate is true
  warning: `scale` is only in the new version
  earlier tests: 1 kept, 1 lost
    test_old  lost: `speed` is no longer an input
    test_hot  kept: it covers 2 impacted objectives

gone   is gone: it was in old.c

round_up  new.c:40   is proved equal
  equal: no input makes a difference
    proof: unsatisfiable, formula 71d8
  change 1  new.c:41:3  initialiser of `step`: `2 * 2` is now `4`
  impacted: none of 4 objectives

unchanged: first, second
"""


def objective(line: int, text: str, verdict: str, **rest: Any) -> ReportedObjective:
    name = f"fee:branch:+{line}.7:{text.rpartition(' ')[2]}"
    return ReportedObjective(name, "branch", "true", line, 16 if line == 5 else 7, text, verdict, file="new.c", **rest)


def change(number: int = 1, **rest: Any) -> ReportedChange:
    usual = {
        "what": "changed", "kind": "expression", "function": "fee", "name": "", "file": "new.c", "line": 5, "column": 16,
        "old_file": "old.c", "old_line": 5, "old_column": 16, "text": "99", "old_text": "100",
    }  # fmt: skip
    return ReportedChange(number, **{**usual, **rest})


OBJECTIVES = (
    objective(5, "amount > 99 is true", "covered", tests=("fee_1",)),
    objective(5, "amount > 99 is false", "covered", tests=("fee_2",)),
    objective(9, "rate is true", "infeasible", proof="exhausted", why="every path was explored, and none covers it"),
)
REMOVED = change(
    2, what="removed", kind="statement", function="note", line=0, column=0, old_line=8, old_column=5, text="",
    old_text="log(amount);",
)  # fmt: skip


def unit() -> UnitReport:
    tests = tuple(ReportedTest(f"fee_{n}", {"amount": n}, "returned", (OBJECTIVES[n - 1].id,)) for n in (1, 2))
    return UnitReport(
        "new.c", "fee", ("branch",), "dfs", 0, "done", OBJECTIVES, tests, Statistics(runs=4, seconds=0.01), line=3,
        written=("tests/test_fee.c", "tests/test_fee_differences.c"), confirmation=Confirmation(2),
    )  # fmt: skip


def fee() -> FunctionDifference:
    links = (ReportedLink("changed", 5, "99"), ReportedLink("data", 9, "rate"))
    impacts = tuple(
        ReportedImpact(each.id, each.id, "data", "depends on `amount`, changed at line 5", 1, links)
        if each.line == 9
        else ReportedImpact(each.id, "", "changed", "changed itself", 1)
        for each in OBJECTIVES
    )
    seen = (
        ReportedObservation("result", 3, 4),
        ReportedObservation("outcome", "returned", "crashed: division by zero"),
        ReportedObservation("calls of log()", 1, None),
        ReportedObservation("log::argument_1#2", 7, None),
    )
    detail = "line 12: expected 4, got 3"
    difference = ReportedDifference("fee_differs", {"amount": 100, "kind": "GOLD"}, seen, "new", "old", detail)
    return FunctionDifference(
        "fee", "compared", "", (change(), REMOVED), impacts, 8, unit(), (difference,),
        ReportedEquality("different", "14 inputs were run on both versions", 14),
        (
            ReportedOldTest("test_hot", "tests/test_fee.c", "kept", "", (OBJECTIVES[0].id, OBJECTIVES[1].id)),
            ReportedOldTest("test_old", "tests/test_fee.c", "lost", "`speed` is no longer an input"),
        ),
        ("`scale` is only in the new version",),
    )  # fmt: skip


def equal() -> FunctionDifference:
    alike = change(kind="initialiser", name="step", function="round_up", line=41, column=3, text="4", old_text="2 * 2")
    nothing = replace(unit(), function="round_up", objectives=(), tests=(), line=40, written=(), confirmation=None)
    equality = ReportedEquality("equal", "no input makes a difference", 0, "unsatisfiable", "71d8")
    changes = (replace(alike, is_compiled_alike=True),)
    return FunctionDifference("round_up", "compared", "", changes, (), 4, nothing, equality=equality)


def full_report() -> DifferenceReport:
    unchanged = [FunctionDifference(name, "unchanged", "") for name in ("first", "second")]
    gone = FunctionDifference("gone", "removed", "it was in old.c")
    functions = (unchanged[0], equal(), gone, fee(), unchanged[1])
    return DifferenceReport(Tool("tightrope", "0.1.0"), "old.c", "new.c", functions)


def shown(*functions: FunctionDifference, **rest: Any) -> str:
    to = io.StringIO()
    print_difference(DifferenceReport(Tool("tightrope", "1"), "old.c", "new.c", functions, **rest), to=to)
    return to.getvalue()


def test_everything_differences_first() -> None:
    to = io.StringIO()
    print_difference(full_report(), to=to)
    assert to.getvalue() == EXPECTED


def test_quiet_prints_nothing() -> None:
    to = io.StringIO()
    print_difference(full_report(), is_quiet=True, to=to)
    assert to.getvalue() == ""


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ({}, "expression `100` is now `99`"),
        ({"function": "round_up"}, "expression `100` is now `99` in round_up()"),
        ({"old_text": "99"}, "expression `99` changed"),
        ({"what": "added", "kind": "statement", "text": "n++;", "old_text": ""}, "statement added: `n++;`"),
        ({"what": "removed", "kind": "statement", "text": "", "old_text": "n++;"}, "statement removed: `n++;`"),
        ({"kind": "initialiser", "name": "limit"}, "initialiser of `limit`: `100` is now `99`"),
        ({"kind": "variable", "name": "n", "text": "long n", "old_text": "int n"}, "variable `int n` is now `long n`"),
        ({"kind": "type", "name": "struct order", "function": ""}, "type `struct order` changed"),
        ({"kind": "function", "name": "note", "what": "added", "function": ""}, "function `note` added"),
        (
            {"kind": "global", "name": "mode", "what": "removed", "old_text": "", "function": ""},
            "global `mode` removed",
        ),
        ({"kind": "code", "text": "", "old_text": ""}, "code changed"),
        ({"text": "x" * 80}, f"expression `100` is now `{'x' * 68} ...`"),
    ],
)
def test_a_change_in_words(rest: dict[str, Any], sentence: str) -> None:
    assert say_change(change(**rest), "fee") == sentence


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ({}, "the test passes with the new version and fails with the old one\n"),
        (
            {"fails_on": ""},
            "it passes with the new version, and it is not confirmed that it distinguishes the versions: why",
        ),
        (
            {"fails_on": "", "passes_on": "", "detail": ""},
            "    it is not confirmed that it distinguishes the versions\n",
        ),
    ],
)
def test_a_test_says_what_was_seen_of_it(rest: dict[str, Any], sentence: str) -> None:
    difference = replace(fee().differences[0], **{"detail": "why", **rest})
    assert sentence in shown(replace(fee(), differences=(difference,)))


def test_without_a_test_there_is_none_to_confirm() -> None:
    difference = replace(fee().differences[0], test="")
    text = shown(replace(fee(), differences=(difference,)))
    assert "  different: with amount = 100" in text
    assert "the test" not in text


@pytest.mark.parametrize(
    ("verdict", "reason", "lines"),
    [
        ("alike", "a loop has no end", ["  no difference found: said", "    not proved: a loop has no end"]),
        ("equal", "", ["  equal: no difference found; said"]),
        ("not-compared", "", ["  not compared: no difference found; said"]),
    ],
)
def test_what_is_known_about_equality(verdict: str, reason: str, lines: list[str]) -> None:
    sentence = "no difference found; said" + (f"; it is not proved that there is none: {reason}" if reason else "")
    one = replace(fee(), differences=(), equality=ReportedEquality(verdict, sentence, reason=reason))
    assert shown(one).split("\n")[3 : 3 + len(lines)] == lines


def test_a_long_value_does_not_widen_its_column() -> None:
    seen = (ReportedObservation("result", "y" * 60, "z"), ReportedObservation("*p", 1, 2))
    text = shown(replace(fee(), differences=(replace(fee().differences[0], observations=seen),)))
    assert "    *p      1    2\n" in text


def test_many_observations_are_counted() -> None:
    seen = tuple(ReportedObservation(f"buffer[{number}]", 0, number) for number in range(1, 21))
    text = shown(replace(fee(), differences=(replace(fee().differences[0], observations=seen),)))
    assert "    buffer[8]  0    8\n    and 12 more: see --json\n    the test passes" in text


def test_what_no_single_change_is_to_blame_for() -> None:
    impacts = tuple(
        replace(each, change=0, how="unknown", sentence="everything may be affected") for each in fee().impacts
    )
    lines = shown(replace(fee(), impacts=impacts)).split("\n")
    at = lines.index("  no single change")
    assert lines[at + 1] == "    everything may be affected"


@pytest.mark.parametrize(
    ("how", "sentence", "name", "reason"),
    [
        ("data", "depends on `99`, changed at line 5", "", "depends on it"),
        ("data", "depends on `99`, changed at line 5", "limit", "depends on `limit`, changed at line 5"),
        ("control", "is controlled by `b` (line 7): depends on `99`, ...", "", "is controlled by `b` (line 7): depends on it"),
        ("ends", "follows line 7, where runs may end: depends on `99`, ...", "x", "follows line 7, where runs may end: depends on `x`, changed at line 5"),
        ("changed", "`99`, changed at line 5", "limit", "changed itself"),
        ("unknown", "it cannot be told", "limit", "it cannot be told"),
    ],
)  # fmt: skip
def test_a_reason_does_not_repeat_the_change(how: str, sentence: str, name: str, reason: str) -> None:
    impact = ReportedImpact(OBJECTIVES[0].id, "", how, sentence, 1)
    text = shown(replace(fee(), changes=(change(name=name),), impacts=(impact,)))
    assert f"\n    {reason}\n      covered" in text


def test_many_changes_and_places_are_counted() -> None:
    many = tuple(replace(OBJECTIVES[0], id=str(line), line=line) for line in range(20, 60))
    impacts = tuple(ReportedImpact(each.id, "", "changed", "changed itself", 1) for each in many)
    changes = tuple(change(number) for number in range(1, 25))
    text = shown(replace(fee(), changes=changes, impacts=impacts, unit=replace(unit(), objectives=many)))
    assert "      and 28 more places: see --json, or --listing\n" in text
    assert "  and 4 more changes, which impact 0 more places: see --json, or --listing\n" in text


def test_an_objective_that_nothing_was_asked_about_has_its_id() -> None:
    text = shown(replace(fee(), impacts=(ReportedImpact("fee:branch:+1.1:true", "", "data", "why", 1),), unit=None))
    assert "      unknown    fee:branch:+1.1:true\n" in text


def test_what_decides_whether_changed_code_is_reached() -> None:
    rows = tuple(ReportedImpact(f"fee:branch:+{n}.1:true", "", "decides", "it decides", 0) for n in range(1, 7))
    text = shown(replace(fee(), deciding=rows[:2]))
    assert "  on the way to changed code: 2 objectives as before: fee:branch:+1.1:true, fee:branch:+2.1:true\n" in text
    assert "6 objectives as before: fee:branch:+1.1:true, " in shown(replace(fee(), deciding=rows))
    assert "fee:branch:+4.1:true, ...\n" in shown(replace(fee(), deciding=rows))


def test_a_place_in_another_file_is_named() -> None:
    elsewhere = tuple(replace(each, file="rates.h") for each in OBJECTIVES)
    assert "      covered     rates.h:5:16  amount" in shown(replace(fee(), unit=replace(unit(), objectives=elsewhere)))


def test_several_functions_end_with_their_sum() -> None:
    assert shown(fee(), replace(fee(), function="other")).split("\n")[-3:] == [
        "impacted in 2 functions",
        "  branch  4/6 covered (66.7%), 2 infeasible (100% of feasible)",
        "",
    ]


def test_several_criteria_have_a_line_each() -> None:
    both = replace(unit(), criteria=("branch", "mcdc"))
    text = shown(replace(fee(), unit=both))
    assert "  impacted: 3 of 8 objectives   2 tests from 4 runs in 0.01 s\n    branch  2/3 covered" in text
    assert "\n    mcdc    nothing to cover\n" in text


def test_changes_that_compile_to_the_same_code() -> None:
    one = FunctionDifference("fee", "unchanged", "said", equal().changes, equality=equal().equality)
    assert shown(one) == (
        "old.c -> new.c: 1 function is compiled to the same code\n\nfee   is compiled to the same code\n"
        "  change 1  new.c:41:3  initialiser of `step`: `2 * 2` is now `4` in round_up()\n"
    )


def test_what_there_is_to_say_of_nothing_and_of_an_interrupt() -> None:
    assert shown() == "old.c -> new.c: nothing changed\n"
    assert shown(is_interrupted=True).endswith("\ninterrupted: what was found until then is above\n")


def test_many_unchanged_functions_are_counted() -> None:
    text = shown(*(FunctionDifference(f"f{number}", "unchanged", "same code") for number in range(50)))
    assert ", f38, f39 and 10 more (same code)\n" in text


def test_a_function_that_is_new_has_no_changes() -> None:
    text = shown(replace(fee(), state="added", differences=(), equality=None))
    assert text.startswith("old.c -> new.c: 1 function is new\n\nfee  new.c:3   is new\n  impacted: 3 of 8")


def test_nothing_to_cover() -> None:
    nothing = replace(unit(), objectives=(), tests=())
    text = shown(replace(fee(), impacts=(), objectives=0, unit=nothing))
    assert "  there is nothing to cover (branch)\n" in text


def test_a_function_that_was_refused_says_why() -> None:
    text = shown(FunctionDifference("log", "refused", "log takes `...`"))
    assert text == "old.c -> new.c: 1 function was not compared\n\nlog   was not compared: log takes `...`\n"


# --- for machines ------------------------------------------------------------------------------


def test_schema_accepts_what_is_written() -> None:
    values = json.loads(render_json(full_report()))
    assert values == to_values(full_report())
    check(values, make_schema("difference_schema.json"))


def test_every_word_of_the_stages_is_in_the_schema() -> None:
    rules = make_schema("difference_schema.json")["$defs"]
    assert rules["impact"]["properties"]["how"]["enum"] == [each.value for each in How]
    assert rules["change"]["properties"]["kind"]["enum"] == [each.value for each in ChangeKind]
    models = {
        "function": FunctionDifference, "change": ReportedChange, "impact": ReportedImpact, "link": ReportedLink,
        "difference": ReportedDifference, "observation": ReportedObservation, "equality": ReportedEquality,
        "old_test": ReportedOldTest,
    }  # fmt: skip
    for name, model in models.items():
        assert list(rules[name]["properties"]) == list(model.__dataclass_fields__) == rules[name]["required"], name


def test_fields_are_in_order_and_all_there() -> None:
    values = to_values(full_report())
    assert list(values) == ["schema", "tool", "old", "new", "is_interrupted", "functions"]
    assert list(values["functions"][3]) == list(FunctionDifference.__dataclass_fields__)
    assert values["functions"][3]["impacts"][2]["chain"][1] == {
        "how": "data", "line": 9, "words": "rate", "is_old": False,
    }  # fmt: skip


def test_first_line_says_who_wrote_it(tmp_path, capsys) -> None:
    for _ in range(2):  # so that it may be replaced
        write_json(full_report(), str(tmp_path / "found.json"))
    text = (tmp_path / "found.json").read_text()
    assert text.startswith('{"schema": 1, "tool": {"name": "tightrope", "version": "0.1.0"},\n "old": "old.c",\n')
    write_json(full_report(), "-")
    assert capsys.readouterr().out == text


def test_numbers_that_json_has_not_are_words() -> None:
    seen = ReportedObservation("result", float("nan"), float("-inf"))
    one = replace(fee(), differences=(replace(fee().differences[0], observations=(seen,)),))
    report = DifferenceReport(Tool("tightrope", "1"), "old.c", "new.c", (one,))
    (read,) = json.loads(render_json(report))["functions"][0]["differences"][0]["observations"]
    assert (read["old"], read["new"]) == ("nan", "-inf")


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("functions", 3, "state"), "changed"),
        (("functions", 3, "unit", "seed"), "0"),
        (("functions", 3, "impacts", 0, "how"), "magic"),
        (("functions", 3, "differences", 0, "observations", 0, "old"), []),
        (("functions", 3, "old_tests", 0, "fate"), "gone"),
    ],
)
def test_schema_refuses_a_wrong_value(path: tuple[Any, ...], wrong: Any) -> None:
    values: Any = to_values(full_report())
    place = values
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = wrong
    with pytest.raises(AssertionError):
        check(values, make_schema("difference_schema.json"))
