"""Changes between two versions of a file: what stands outside of functions, and what of it counts for a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.commands.diff.changes.change import Change
from tightrope.commands.diff.changes.find_changes import find_changes
from tightrope.options.options import Options
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file
from tightrope.units.prepared import PreparedFile

OLD = """
#define SCALE 2
enum { LOW, HIGH = 7 };
enum colour { RED, GREEN };
typedef int count;
typedef struct { int width; count depth; } box;
struct inner { int value; };
struct outer { struct inner in; int last; };
struct apart { int x; };
int limit = 3;
int scaled = SCALE * 4;
static int steps[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26 };
static const char *names[] = { "one", "two" };
static struct outer whole = { { 1 }, 2 };
static int unused;
int gone;
int alone = 1;
extern int far_away;
int ask(int);
static int helper(int n) { return n + 1; }
static int only_old(int n) { return n; }
int globals(int n) { return limit + scaled + steps[n] + names[n][0] + gone + far_away; }
int types(struct outer *o, box *b, count c) { return o->in.value + b->depth + c; }
int values(int n, enum colour c) { return n == HIGH || c == GREEN || n == sizeof(struct outer); }
int calls(int n) { return helper(n) + ask(n); }
int through(void) { return whole.last; }
int nothing(int n) { return n > 3 ? alone : -n; }
"""
NEW = (
    OLD.replace("SCALE 2", "SCALE 3")
    .replace("HIGH = 7", "HIGH = 8")
    .replace("RED, GREEN", "RED, BLUE, GREEN")
    .replace("typedef int count", "typedef long count")
    .replace("int value;", "int value; int more;")
    .replace("struct apart { int x;", "struct apart { char x;")
    .replace("limit = 3", "limit = 4")
    .replace("17, 18", "17, 81")
    .replace('"two"', '"three"')
    .replace("int gone;", "")
    .replace(" + gone", "")
    .replace("extern int far_away", "extern char far_away")
    .replace("int ask(int)", "int ask(long)")
    .replace("return n + 1", "return n + 2")
    .replace("only_old", "only_new")
    .replace("static int unused;", "static int unused = 1;")
    .replace("int alone", "\n\n/* moved */ int alone")
)


@pytest.fixture(scope="module")
def versions(tmp_path_factory) -> tuple[PreparedFile, PreparedFile]:
    folder = tmp_path_factory.mktemp("versions")
    return prepare(folder / "old.c", OLD), prepare(folder / "new.c", NEW)


def prepare(file: Path, text: str, *flags: str) -> PreparedFile:
    file.write_text(text)
    return prepare_file(find_compiler(), file, Options((), flags=flags), lambda warning: None)


def changes(versions, *names: str) -> dict[str, Change]:
    """By kind, function and name."""
    found = find_changes(*versions, names, names)
    return {" ".join(filter(None, (each.kind.value, each.function, each.name))): each for each in found}


def test_globals(versions):
    found = changes(versions, "globals")
    assert list(found) == [
        "initialiser limit",
        "initialiser scaled",
        "initialiser steps",
        "initialiser names",
        "global gone",
        "expression globals",
        "expression globals far_away",
    ]
    assert (found["initialiser limit"].old_text, found["initialiser limit"].new_text) == (
        "int limit = 3",
        "int limit = 4",
    )
    assert found["initialiser scaled"].new_text == "int scaled = 3 * 4"  # both are written alike
    assert found["initialiser steps"].old_text == "static int steps[] = … 17, 18, 19 …"
    assert found["global gone"].what == "removed"


def test_places_of_globals(versions):
    limit = changes(versions, "globals")["initialiser limit"]
    lines = OLD.splitlines()
    assert limit.old is not None
    assert lines[limit.old.line - 1][limit.old.column - 1 :].startswith("limit = 3")


def test_types_that_others_are_made_of(versions):
    found = changes(versions, "types")
    assert sorted(found) == [
        "parameter types c",
        "signature types types",
        "type box",
        "type count",
        "type struct inner",
    ]
    inner = found["type struct inner"]
    assert (inner.old_text, inner.new_text) == ("", "int more")
    assert found["type count"].new_text == "long"
    assert found["signature types types"].new_text == "int (struct outer *, box *, long)"


def test_values_of_names(versions):
    found = changes(versions, "values")
    assert (found["type HIGH"].old_text, found["type HIGH"].new_text) == ("HIGH = 7", "HIGH = 8")
    assert (found["type enum colour"].old_text, found["type enum colour"].new_text) == (
        "GREEN = 1",
        "BLUE = 1, GREEN = 2",
    )
    assert (found["expression values HIGH"].old_text, found["expression values HIGH"].new_text) == ("7", "8")
    assert "expression values GREEN" in found
    assert [each.old_text for each in found.values() if each.old_text == "8"], "the size of struct outer"


def test_functions(versions):
    found = find_changes(*versions, ("calls", "helper", "only_old"), ("calls", "helper", "only_new"))
    assert [(each.kind.value, each.function, each.what) for each in found] == [
        ("expression", "calls", "changed"),
        ("expression", "helper", "changed"),
        ("function", "only_new", "added"),
        ("function", "only_old", "removed"),
    ]
    assert (found[1].old_text, found[1].new_text) == ("1", "2")
    assert found[2].new_text == "static int only_new(int n)"


def test_a_function_that_only_one_list_has_is_compared(versions):
    found = find_changes(*versions, ("calls",), ("calls", "helper"))
    assert [each.function for each in found] == ["calls", "helper"]


def test_a_global_that_is_only_made_of_a_changed_type(versions):
    assert list(changes(versions, "through")) == ["type struct inner"]


def test_what_the_function_does_not_use(versions):
    assert changes(versions, "nothing") == {}


def test_everything_is_alike_after_a_move(tmp_path):
    old = "static int b(int);\nstatic int a(int n) { return n ? b(n - 1) : 0; }\nstatic int b(int n) { return a(n); }\n"
    lines = old.splitlines()
    new = "/* first */\n" + "\n".join([lines[0], lines[2].replace("a(n)", "a( n )"), lines[1]])
    new = "static int a(int);\n" + new
    files = prepare(tmp_path / "old.c", old), prepare(tmp_path / "new.c", new)
    assert find_changes(*files, ("a", "b"), ("a", "b")) == ()


def test_one_name_as_function_and_as_parameter(tmp_path):
    """Text that is the same is not looked at any closer, so it must be that of the right function."""
    text = "int g(int n) { return n; }\nint f(int g(int)) { return g(1); }\n"
    files = prepare(tmp_path / "old.c", text), prepare(tmp_path / "new.c", text.replace("return n", "return -n"))
    assert [each.function for each in find_changes(*files, ("f", "g"), ("f", "g"))] == ["g"]


def test_options_of_the_compiler(tmp_path):
    text = "int f(int n) { return n < LIMIT; }\n"
    files = prepare(tmp_path / "old.c", text, "-DLIMIT=3"), prepare(tmp_path / "new.c", text, "-DLIMIT=4")
    (found,) = find_changes(*files, ("f",), ("f",))
    assert (found.name, found.old_text, found.new_text) == ("LIMIT", "3", "4")


def test_layout_of_a_struct(tmp_path):
    text = "struct s { char a; int b; };\nint f(struct s *p) { return p->b; }\n"
    files = prepare(tmp_path / "old.c", text), prepare(tmp_path / "new.c", "#pragma pack(1)\n" + text)
    (found,) = find_changes(*files, ("f",), ("f",))
    assert (found.kind.value, found.name, found.new_text) == ("type", "struct s", "int b at bit 8")
