"""The new source with marks."""

from __future__ import annotations

import io
from dataclasses import replace

from tightrope.report.difference_listing import print_difference_listing
from tightrope.report.difference_model import (
    DifferenceReport,
    FunctionDifference,
    ReportedChange,
    ReportedImpact,
    ReportedLink,
)
from tightrope.report.model import ReportedObjective, Tool, UnitReport

SOURCE = """\
#include "log.h"
static int limit = 99;

int other(int x)
{
    return x;
}

int fee(int amount)
{
\tint high = amount > limit + 1;
    if (high) {
        return 4;
    }
    return 3;
}

int last(int x)
{
    return x;
}
"""
EXPECTED = """\

new.c   ~ changed  + added  . affected  * impacted, covered  ! impacted, unknown  x impacted, infeasible
     1   | #include "log.h"
     2 ~ | static int limit = 99;
         |                    ^ initialiser of `limit`: `100` is now `99`
     3   |
     4   | int other(int x)
     5   | {
   ...
     9   | int fee(int amount)
       - |   `log(amount);`: statement removed, old.c:8:1
    10   | {
    11 + |      int high = amount > limit + 1;
         |                                ^ expression added: `+ 1`
    12  !|     if (high) {
         |   depends on `limit`, changed at line 2
         |     covered: high is true
         |     unknown: high is false
    13   |         return 4;
    14   |     }
    15   |     return 3;
    16   | }
"""


def change(number: int, kind: str, line: int, column: int, text: str, **rest: str) -> ReportedChange:
    what = rest.pop("what", "changed")
    old = rest.pop("old_text", "")
    function, name = rest.pop("function", ""), rest.pop("name", "")
    end = int(rest.pop("end_line", line))
    return ReportedChange(
        number, what, kind, function, name, "new.c", line, column, "old.c", 8, 1, text, old, end_line=end
    )


CHANGES = (
    change(1, "initialiser", 2, 20, "99", old_text="100", name="limit"),
    change(2, "expression", 11, 28, "+ 1", what="added", function="fee"),
    change(3, "statement", 0, 0, "", what="removed", old_text="log(amount);", function="fee"),
)


def objective(side: str, verdict: str) -> ReportedObjective:
    return ReportedObjective(f"fee:branch:+3.9:{side}", "branch", side, 12, 9, f"high is {side}", verdict, file="new.c")


def report(source: str = SOURCE) -> DifferenceReport:
    objectives = (objective("true", "covered"), objective("false", "unknown"))
    unit = UnitReport("new.c", "fee", ("branch",), "dfs", 0, "done", objectives, (), line=9)
    links = (ReportedLink("changed", 2, "limit"), ReportedLink("data", 11, "high"), ReportedLink("data", 5, "x", True))
    impacts = tuple(
        ReportedImpact(each.id, each.id, "data", "depends on `limit`, changed at line 2", 1, links)
        for each in objectives
    )
    one = FunctionDifference("fee", "compared", "", CHANGES, impacts, 2, unit)
    return DifferenceReport(Tool("tightrope", "1"), "old.c", "new.c", (one,), sources={"new.c": source})


def shown(found: DifferenceReport) -> str:
    to = io.StringIO()
    print_difference_listing(found, to=to)
    return to.getvalue()


def test_marks_and_reasons() -> None:
    assert shown(report()) == EXPECTED


def marks(text: str) -> dict[int, str]:
    """Number of a line -> its two marks."""
    rows = [line.split("|")[0] for line in text.split("\n")[2:] if "|" in line]
    return {int(row[:6]): row[7:9] for row in rows if row[:6].strip()}


def test_a_change_of_several_lines_marks_them_all() -> None:
    one = report().functions[0]
    wide = change(1, "statement", 12, 5, "if (high) { return 4; }", what="added", function="fee", end_line=14)
    found = marks(shown(replace(report(), functions=(replace(one, changes=(wide,), impacts=()),))))
    assert {line: each for line, each in found.items() if each.strip()} == {12: "+ ", 13: "+ ", 14: "+ "}


def test_alone_it_begins_with_the_file() -> None:
    to = io.StringIO()
    print_difference_listing(report(), is_alone=True, to=to)
    assert to.getvalue() == EXPECTED[1:]


def test_a_new_function_is_marked_as_a_whole() -> None:
    one = replace(report().functions[0], state="added", changes=())
    found = marks(shown(replace(report(), functions=(one,))))
    assert {line: each[0] for line, each in found.items() if line > 8} == dict.fromkeys(range(9, 17), "+")


def test_the_way_of_a_change_is_marked() -> None:
    one = report().functions[0]
    found = marks(shown(replace(report(), functions=(replace(one, changes=CHANGES[:1]),))))
    assert (found[2], found[11], found[12], found[13]) == ("~ ", " .", " !", "  ")


def test_infeasible_alone_and_covered_before_it() -> None:
    one = report().functions[0]
    assert one.unit
    for verdicts, mark in ((("infeasible", "infeasible"), " x"), (("covered", "infeasible"), " *")):
        rows = tuple(replace(each, verdict=word) for each, word in zip(one.unit.objectives, verdicts, strict=True))
        unit = replace(one.unit, objectives=rows)
        assert marks(shown(replace(report(), functions=(replace(one, unit=unit),))))[12] == mark


def test_a_change_that_functions_share_is_shown_once() -> None:
    one = report().functions[0]
    assert one.unit
    twice = (one, replace(one, function="last", unit=replace(one.unit, function="last", line=18), impacts=()))
    text = shown(replace(report(), functions=twice))
    assert text.count("initialiser of `limit`") == 1
    assert "    20   |     return x;\n    21   | }\n" in text  # the other function is shown as well


def test_the_same_change_twice_in_a_line_is_shown_twice() -> None:
    one = report().functions[0]
    twice = tuple(
        change(n, "expression", 11, 5 * n, "99", old_text="100", name="LIMIT", function="fee") for n in (1, 2)
    )
    assert shown(replace(report(), functions=(replace(one, changes=twice),))).count("^ expression `LIMIT`: `100`") == 2


def test_a_change_without_a_name_is_quoted_in_reasons() -> None:
    one = report().functions[0]
    added = change(1, "expression", 11, 28, "+ 1", what="added", function="fee")
    text = shown(replace(report(), functions=(replace(one, changes=(added,)),)))
    assert "|   depends on `+ 1`, added at line 11\n" in text
    gone = change(1, "statement", 0, 0, "", what="removed", old_text="n++;", function="fee")
    text = shown(replace(report(), functions=(replace(one, changes=(gone,)),)))
    assert "|   depends on `n++;`, removed (line 8 of the old version)\n" in text


def test_what_is_unchanged_is_not_shown() -> None:
    nothing = FunctionDifference("other", "unchanged", "")
    assert shown(replace(report(), functions=(nothing,))) == ""


def test_a_file_that_cannot_be_read_is_named() -> None:
    text = shown(replace(report(), sources={}))
    assert text.split("\n")[1].startswith("new.c   ")
    assert text.split("\n")[2] == "  it cannot be read"


def test_the_text_is_read_from_disk_when_nobody_has_it(tmp_path) -> None:
    (tmp_path / "new.c").write_text(SOURCE)
    one = report().functions[0]
    assert one.unit
    file = str(tmp_path / "new.c")
    changes = tuple(replace(each, file=file if each.line else "old.c") for each in CHANGES)
    unit = replace(one.unit, file=file, objectives=tuple(replace(each, file=file) for each in one.unit.objectives))
    found = replace(report(), functions=(replace(one, unit=unit, changes=changes),), sources={})
    assert shown(found) == EXPECTED.replace("new.c", file)


def test_a_function_whose_end_is_not_to_be_seen() -> None:
    text = shown(report(SOURCE[: SOURCE.index("    }\n    return 3")]))
    assert "    13   |         return 4;\n" in text


def test_text_of_the_source_is_never_markup() -> None:
    assert "x[red] = a[/b] :smile:;" in shown(report(SOURCE.replace("return 4;", "x[red] = a[/b] :smile:;")))
