"""Names that may mean something else, from the text of two versions."""

from __future__ import annotations

import pytest

from tightrope.commands.diff.changes.file_text import FileText
from tightrope.commands.diff.changes.redeclared_names import find_redeclared_names

TEXT = """
enum colour { RED, GREEN };
typedef int count;
struct inner { count value; };
struct outer { struct inner in; };
struct apart { int value; };
struct outer *get(int which);
int (*hook)(int value);
static struct apart table[3];
typedef int aligned __attribute__((aligned(8)));
int limit = 3;
static int helper(count n) { return n + limit; }
"""


@pytest.mark.parametrize(
    ("old", "new", "touched", "untouched"),
    [
        ("GREEN }", "GREEN, BLUE }", {"RED", "GREEN", "BLUE", "colour"}, {"count", "limit", "get"}),
        ("typedef int", "typedef long", {"count", "inner", "outer", "get", "helper"}, {"apart", "table", "limit"}),
        ("count value", "long value", {"inner", "outer", "get"}, {"helper", "count", "apart"}),
        ("limit = 3", "limit = 4", {"limit"}, {"helper", "table"}),
        ("(int value)", "(long value)", {"hook"}, {"table", "limit"}),
        ("apart {", "apart { char first;", {"apart", "table"}, {"inner", "get"}),
        ("static int helper", "static long helper", {"helper"}, {"limit", "count"}),
        ("struct apart {", "#pragma pack(1)\nstruct apart {", {"apart", "table", "outer"}, set()),
        ("int limit = 3;", "", {"limit"}, {"helper"}),
        ("aligned(8)", "aligned(16)", {"aligned"}, {"table", "count"}),
        ("{ return n + limit; }", "{ return limit; }", set(), {"helper", "limit"}),
    ],
)
def test_touched(old, new, touched, untouched):
    assert old in TEXT
    found = find_redeclared_names(FileText(TEXT), FileText(TEXT.replace(old, new)))
    assert touched <= found
    assert found.isdisjoint(untouched)


def test_nothing_is_touched_by_a_move():
    lines = TEXT.strip().split("\n")
    assert (
        find_redeclared_names(FileText(TEXT), FileText("\n\n".join([*lines[:5], *reversed(lines[5:])]))) == frozenset()
    )
