"""Declarations in a preprocessed text, and how they are shown."""

from __future__ import annotations

import pytest

from tightrope.commands.diff.changes.file_text import FileText, show, show_both
from tightrope.location import Location

TEXT = """# 1 "unit.c"
typedef int word;
struct s { int a; };
extern int limit;
# 7 "unit.c"
int limit = 3; static int more[2] = { 1, 2 };
int f(int g(int)) { return g(limit); }
static int g(int n) { return n; }
"""


def read(file: str) -> list[bytes] | None:
    lines = [b"", b"typedef int word;", b"struct s { int a; };", b"", b"", b"", b"int limit = MAX; static int more;"]
    return lines if file.endswith("unit.c") else None


@pytest.fixture
def text() -> FileText:
    return FileText(TEXT, "/project", read)


def test_functions_by_name(text):
    """`g` is also the name of a parameter of `f`, which could be meant as well."""
    assert " ".join(text.functions["f"]) == "int f ( int g ( int ) ) { return g ( limit ) ; }"
    assert " ".join(text.functions["g"]).startswith("static int g ( int n ) { return n ; } int f")


def test_other_functions_are_not_outside(text):
    assert "return" not in text.outside
    assert "limit" in text.outside


def test_line_markers_and_layout_make_no_difference():
    one, other = FileText('# 1 "a.c"\nint a;\nint b ;'), FileText('int a; int\n# 8 "b.h" 1\nb;')
    assert one.outside == other.outside


def test_pragmas_do():
    assert FileText("#pragma pack(1)\nint a;").outside != FileText("int a;").outside


@pytest.mark.parametrize(
    ("name", "line", "column"), [("word", 1, 0), ("struct s", 2, 0), ("limit", 7, 5), ("more", 7, 29)]
)
def test_places(text, name, line, column):
    assert text.locate(name) == Location("/project/unit.c", line, column)


def test_a_variable_as_it_is_written_and_as_it_is_compiled(text):
    place = Location("/project/unit.c", 7)
    assert show(text.written("limit", place)) == "int limit = MAX"
    assert show(text.expanded("limit")) == "int limit = 3"
    assert show(text.expanded("more")) == "static int more[2] = { 1, 2 }"


def test_what_is_not_there(text):
    assert text.locate("nothing") is None
    assert text.expanded("nothing") == ()
    assert text.written("nothing", Location("/project/unit.c", 7)) == ()
    assert not text.declares("nothing")


def test_long_declarations_show_what_differs():
    old = ("int", "a", "[", "]", "=", "{", *", ".join(map(str, range(60))).replace(",", " ,").split(), "}")
    new = tuple("99" if token == "30" else token for token in old)
    assert show_both(old, new) == ("int a[] = … 29, 30, 31 …", "int a[] = … 29, 99, 31 …")
