"""Which command may help when an objective is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tightrope.commands.explain.next_steps import Shaped, find_attempts, find_facts, with_option, without_option
from tightrope.options.options import Options
from tightrope.report.model import Concretisation, Crash, ReportedObjective, Statistics, UnitReport

OPTIONS = Options((), time_limit=30.0, max_runs=100)
UNIT = UnitReport(
    "f.c", "f", ("branch",), "dfs", 0, "the time limit was reached", (), (), Statistics(runs=7, seconds=30.02),
    command=("generate", "f.c:f", "-c", "branch", "--time-limit", "30", "--", "-Iinclude"),
)  # fmt: skip


def unknown(reason, option="", why="no"):
    return ReportedObjective("f:1", "branch", "true", 3, 4, "x", "unknown", reason=reason, option=option, why=why)


def commands(objective, unit=UNIT, options=OPTIONS, shaped=None):
    shaped = shaped or Shaped()
    return [each.command for each in find_attempts(unit, objective, options, shaped, "r.json")]


def test_an_option_takes_the_place_of_itself():
    words = ("generate", "f.c:f", "--time-limit", "30", "--assume", "a", "--", "--time-limit")
    assert with_option(words, "--time-limit", "9") == (
        "generate", "f.c:f", "--assume", "a", "--time-limit", "9", "--", "--time-limit",
    )  # fmt: skip
    assert with_option(words, "--assume", "b")[-5:] == ("a", "--assume", "b", "--", "--time-limit")
    assert without_option(words, "--assume") == ("generate", "f.c:f", "--time-limit", "30", "--", "--time-limit")


@pytest.mark.parametrize(
    ("reason", "option", "raised"),
    [
        ("time_limit", "--time-limit", "--time-limit 120"),
        ("run_limit", "--max-runs", "--time-limit 30 --json r.json --max-runs 400"),
        ("solver_time_limit", "--solver-time-limit", "--solver-time-limit 20"),
    ],
)
def test_a_limit_is_raised(reason, option, raised):
    (command,) = commands(unknown(reason, option))
    assert command.startswith("tightrope generate f.c:f -c branch ")
    assert command.endswith(f"{raised} -- -Iinclude")


def test_loops_that_time_did_not_let_unroll_need_time():
    assert (
        "--time-limit 120" in commands(unknown("not_within", "--unroll-limit", "not within 16 iterations of a loop"))[0]
    )
    assert "--unroll-limit 1024" in commands(unknown("not_within", "--unroll-limit", "not within 256 iterations"))[0]


def test_a_shape_is_made_larger_and_nothing_else_is_assumed():
    shaped = Shaped((("p", "nullable, array 8, length n"), ("s", "string 30")), (("depth", 3), ("max-elements", 64)))
    look, more = commands(unknown("shape", "--input"), shaped=shaped)
    assert look == "tightrope inputs f.c:f -- -Iinclude"
    assert "--input 'p=array 32' --input 's=string 120' --depth 5 --max-elements 256 -- -Iinclude" in more


def test_stubs_that_write_nothing_could():
    shaped = Shaped((), (("depth", 3),), ("receive:1", "ops->read:2"))
    _, write, more = commands(unknown("shape", "--stub-writes"), shaped=shaped)
    assert "--stub-writes receive:1 --stub-writes 'ops->read:2'" in write
    assert "--depth 5" in more


def test_what_was_concretised_is_named():
    at = Concretisation("call of `sin`", "f.c", 9, 2, 1)
    unit = replace(UNIT, concretisations=(at, replace(at, reason="access through a symbolic address", count=3)))
    assert find_facts(unit, unknown("approximate"), OPTIONS) == (
        "f.c:9:2  call of `sin` (concretised once)",
        "f.c:9:2  access through a symbolic address (concretised 3 times)",
    )
    stub, index = commands(unknown("approximate"), unit)
    assert "--stub sin" in stub
    assert "--index-limit 1024" in index


def test_crashes_may_be_excluded_and_long_runs_may_go_on():
    crashes = tuple(Crash(outcome, "why", "f.c", 3, 4, {"a": 0}) for outcome in ("crashed", "timed_out"))
    unit = replace(UNIT, crashes=crashes)
    longer, excluding = commands(unknown("runs_died"), unit)
    assert "--run-time-limit 4" in longer
    assert "--assume EXPRESSION" in excluding
    assert find_facts(unit, unknown("runs_died"), OPTIONS)[1] == "f.c:3:4  timed out: why, with a = 0"


def test_what_the_search_did_is_said():
    (fact,) = find_facts(UNIT, unknown("time_limit"), OPTIONS)
    assert fact.startswith("the limit was 30 s and 100 runs; the search made 7 runs")


def test_tests_go_where_they_were():
    assert (
        " -o there " in commands(unknown("time_limit", "--time-limit"), replace(UNIT, written=("there/test_f.c",)))[0]
    )


def test_a_report_without_its_command():
    (command,) = commands(unknown("interrupted"), replace(UNIT, command=()))
    assert command == "tightrope generate f.c:f -c branch --json r.json"
