"""E1, E4 and the verdicts on MC/DC: they measure what they say."""

from __future__ import annotations

import re
from importlib import import_module

from imports import ROOT

from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason, Unknown
from tightrope.search.budget import StopReason

EXPERIMENTS = ROOT / "experiments"


def _timed(covered_at: dict[str, float], others: dict[str, object], runs: int = 10, seconds: float = 1.0):
    verdicts = {name: Covered(("1",)) for name in covered_at} | others
    counts = {"paths": runs, "runs": runs, "queries": 2 * runs, "solver_queries": runs, "divergences": 0}
    reason = StopReason.EXHAUSTED
    made = import_module("bench.parts.timed").Timed
    return made(
        seconds=seconds, cpu_seconds=seconds, **counts, stop_reason=reason, verdicts=verdicts, covered_at=covered_at
    )


# -- the programs


def test_every_program_is_used_with_its_function_and_sizes():
    subjects = import_module("bench.parts.subjects")
    used = [*subjects.LABELS, *subjects.REACTIVE, *subjects.WHOLE]
    assert {each.path for each in used} == set((EXPERIMENTS / "programs").rglob("*.c"))
    for each in used:
        text = each.path.read_text()
        assert f"Function under test: {each.function}" in text
        assert all(flag in text for flag in each.flags), each.name
        assert re.search(rf"\b{each.function}\(", text)
    assert [each.name for each in subjects.choose(subjects.LABELS, ["utf8-*"])] == ["utf8-3", "utf8-5", "utf8-7"]


# -- E1


def test_e1_measures_what_labels_cost():
    """The four balls have nine paths."""
    e1, subjects = import_module("experiments.e1_labels"), import_module("bench.parts.subjects")
    (balls,) = subjects.choose(subjects.LABELS, ["balls"])
    row = e1.measure(balls, "wm", repetitions=1, seconds=60.0)
    assert all(each.is_whole and not each.divergences for each in row.cells.values())
    assert [row[each].paths for each in (e1.PLAIN, e1.TIGHT, e1.DELETING)] == [9, 9, 9]
    assert row[e1.PLAIN].runs == 9 < row[e1.DELETING].runs < row[e1.TIGHT].runs < row[e1.DIRECT].runs
    assert row[e1.DIRECT].covered == row[e1.TIGHT].covered == row[e1.DELETING].covered == row[e1.USUAL].covered
    assert {name.split(":")[3] for name in row[e1.TIGHT].verdicts} <= set(e1.OPERATORS)


def test_e1_writes_criteria_as_labels():
    e1, subjects = import_module("experiments.e1_labels"), import_module("bench.parts.subjects")
    (balls,) = subjects.choose(subjects.LABELS, ["balls"])
    row = e1.measure(balls, "cc-labels", repetitions=1, seconds=60.0)
    assert len(row[e1.DELETING].verdicts) == len(row[e1.DELETING].covered) == 16
    assert row[e1.PLAIN].runs < row[e1.DELETING].runs <= row[e1.TIGHT].runs


def test_e1_reports_ratios_and_what_is_lost():
    e1, subject = import_module("experiments.e1_labels"), import_module("bench.parts.subjects").LABELS[0]
    dead = {"dead": Infeasible(Proof.EXHAUSTED), "odd": Unknown(Reason.NOT_FOLLOWED)}
    cells = {each.name: _timed({"a": 0.1}, dead) for each in e1.COLUMNS}
    cells[e1.DIRECT.name] = _timed({"a": 0.1, "b": 0.2}, dead, runs=40, seconds=8.0)
    cells[e1.DELETING.name] = _timed({"a": 0.1}, dead, runs=15, seconds=1.25)
    rows = [e1.Row(subject, "wm", cells)]
    page = "\n".join(e1.report(rows, e1.read_arguments(["--no-file"])))
    assert "| triangle | wm | 1.25 | 1.50 | 1.50 | 1.00 | 8.00 | 4.00 |" in page
    assert "| cc, mcc, wm | 1 | 1.25 | 1.25 | 1.25 | 1.50 | 1.50 |" in page
    assert "covers in 0 of these." in page and "- triangle, wm: b" in page
    assert "| triangle | wm | 10 | 20 | 1.000 | 1 / 1 / 1 | 1 not_followed |" in page
    assert len(list(e1.csv_rows(rows))) == 5


# -- E4


def test_e4_compares_what_both_ways_follow():
    e4, subjects, plot = (
        import_module("experiments.e4_tracking"),
        import_module("bench.parts.subjects"),
        import_module("bench.parts.plot"),
    )
    odd = {"odd": Unknown(Reason.NOT_FOLLOWED)}
    tracked = _timed({"a": 1.0, "b": 2.0, "odd": 3.0}, {})
    instrumented = _timed({"a": 2.0, "b": 8.0}, odd)
    pair = (_timed({}, {}, runs=10, seconds=1.0), _timed({}, {}, runs=20, seconds=2.5))
    groups = {e4.TRACKED: (tracked, tracked), e4.INSTRUMENTED: (instrumented, instrumented)}
    found = e4.Found(subjects.COLLISION, groups, e4.Overhead((pair,)))
    assert found.common == {"a", "b"} and found.most == 2
    one, other = e4.chart(found).series
    assert one.points[0] == (0.0, 0.0) and one.points[-1] == other.points[-1] == (8.0, 100.0)
    assert dict(one.points)[2.0] == 100 and dict(other.points)[2.0] == 50
    page = "\n".join(e4.report([found], e4.read_arguments(["--no-file"])))
    assert "| tcas | 3 | 2 | tracking | 3.0 | 2.0 | 2.000 | 2.000 | 10 | 2 of 2 |" in page
    assert "| collision | 10 | 20 | 1.000 | 2.500 | 25.0 % | 1.25 |" in page
    assert plot.draw(e4.chart(found)).startswith("<svg")
    assert len(list(e4.csv_rows([found]))) == 6


def test_e4_instruments_until_an_obligation_is_covered():
    """Only branches to labels that are covered are left out, so that both come to the same in the end."""
    e4, subjects = import_module("experiments.e4_tracking"), import_module("bench.parts.subjects")
    (balls,) = subjects.choose(subjects.LABELS, ["balls"])
    tracked, instrumented = (
        e4.explore_seed(balls.prepare("mcdc", instrumentation=how), 3, 60.0) for how in ("tight", "direct")
    )
    assert tracked.covered == instrumented.covered == set(tracked.verdicts)


# -- MC/DC


def test_verdicts_name_what_is_unknown():
    mcdc, subject = import_module("experiments.mcdc_verdicts"), import_module("bench.parts.subjects").COLLISION
    others = {"dead": Infeasible(Proof.EXHAUSTED), "late": Unknown(Reason.TIME_LIMIT)}
    found = [(subject, _timed({"a": 0.5}, others))]
    page = "\n".join(mcdc.report(found, mcdc.read_arguments(["--no-file"])))
    assert "| 3 | 1 | 1 | 1 | 10 | 20 | 1.00 | every path that could matter was explored |" in page
    assert "- `late`: the time limit ended the search first" in page and "`dead`" not in page
    assert [row["why"] for row in mcdc.csv_rows(found)] == ["", "exhausted", "time_limit"]
