"""What `tightrope explain` prints, from the plain data."""

from __future__ import annotations

import json

from tightrope.report.as_explanation import (
    Attempt,
    Clause,
    Explained,
    Explanation,
    ShownTest,
    explanation_lines,
    write_explanations,
)
from tightrope.report.model import Tool

AT = ("f.c", 7, 8, "a < 3 is true", "\tif (a < 3)")


def text(found):
    return [line.plain for line in explanation_lines(found)]


def test_conditions_stand_under_each_other():
    clauses = (Clause("f.c", 4, 9, "`a > 5` is true"), Clause("f.c", 17, 19, "`a < 3` is true", "asked for"))
    row = Explanation(
        "f:branch:+6.19:true", "infeasible", *AT, why="proof", head="no input satisfies both:", clauses=clauses
    )
    assert text(Explained((row,))) == [
        "f:branch:+6.19:true  infeasible",
        "  f.c:7:8  a < 3 is true",
        "        7 | \tif (a < 3)",
        "          | \t      ^",
        "  proof",
        "  no input satisfies both:",
        "    f.c:4:9    `a > 5` is true",
        "    f.c:17:19  `a < 3` is true   (asked for)",
    ]


def test_ways_are_kept_apart():
    clauses = tuple(Clause("f.c", line, 9, "`a` is true", way=way) for line, way in ((1, 1), (2, 1), (1, 2)))
    lines = text(Explained((Explanation("f", "infeasible", *AT, clauses=clauses),)))
    assert lines[-4:] == ["    f.c:1:9  `a` is true", "    f.c:2:9  `a` is true", "    or", "    f.c:1:9  `a` is true"]


def test_tests_facts_and_attempts():
    row = Explanation(
        "f",
        "unknown",
        *AT,
        facts=("a fact",),
        attempts=(Attempt("raise it", "tightrope generate f.c --time-limit 9"),),
        tests=(ShownTest("f_1", "with a = 3", "returns", "make"),),
        warnings=("f.c has changed",),
    )
    assert text(Explained((row,)))[4:] == [
        "  warning: f.c has changed",
        "    a fact",
        "    f_1  with a = 3: returns",
        "      make",
        "  raise it:",
        "    tightrope generate f.c --time-limit 9",
    ]


def test_a_list_has_one_line_for_each():
    rows = (Explanation("f:1", "unknown", *AT), Explanation("f:long", "infeasible", "f.c", 8, 0, "line 8", ""))
    assert text(Explained(rows, is_list=True, sentence="More.")) == [
        "unknown     f:1     f.c:7:8  a < 3 is true",
        "infeasible  f:long  f.c:8    line 8",
        "More.",
    ]


def test_json_says_the_same(tmp_path):
    row = Explanation("f", "infeasible", *AT, clauses=(Clause("f.c", 4, 9, "`a > 5` is true"),))
    write_explanations(Explained((row,)), Tool("tightrope", "1"), str(tmp_path / "out.json"))
    (read,) = json.loads((tmp_path / "out.json").read_text())["objectives"]
    assert read["clauses"][0]["text"] == "`a > 5` is true"
    assert (read["id"], read["verdict"], read["line"]) == ("f", "infeasible", 7)
