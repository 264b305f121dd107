"""After an edit, a result is used again exactly if nothing has changed that it depends on; its places are right."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tightrope.cli import main
from tightrope.commands.generate.known_results import opened_results
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.report.model import UNCHANGED
from tightrope.units.select_functions import choose

UNIT = """\
#include "limits.h"
struct pair { int x, y; };
enum colour { RED, GREEN = 5 };
static int table[2] = { 3, 4 };
int shared;
typedef int (*callback)(int);
static int helper(int v)
{
    return v > TOP ? 1 : 2;
}
int f(int a)
{
    if (a > 1)
        return 7;
    return 8;
}
int g(struct pair *p)
{
    if (p->x > SOME)
        return helper(p->y);
    return table[p->x & 1];
}
int one_line(int a) { return a == GREEN; }
int writer(int a)
{
    shared = a > 2;
    return shared;
}
int reader(int b)
{
    return shared > b ? 1 : 0;
}
int twice(int a) { return a < 4; }
int calls(callback c, int a)
{
    return c(a) > 2;
}
"""
HEADER = "#define TOP 10\n#define SOME 3\n"
# `calls` is not among them: its pointer may lead to functions that its code does not mention, so it depends on the file.
EVERY = {"helper", "f", "g", "one_line", "writer", "reader", "twice"}
OPTIONS = ("-c", "branch", "-o", "out", "--cache", "store", "--max-runs", "30")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generated once; nothing else is stored."""
    folder = tmp_path_factory.mktemp("parts")
    (folder / "unit.c").write_text(UNIT)
    (folder / "limits.h").write_text(HEADER)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["generate", "unit.c", "-q", "--json", "first.json", *OPTIONS]) == 0
    return folder


@pytest.fixture
def edit(project: Path, monkeypatch: pytest.MonkeyPatch):
    """Which results are found after an edit. All is as it was at the end."""
    monkeypatch.chdir(project)

    def look(unit: str, header: str = HEADER) -> set[str]:
        (project / "unit.c").write_text(unit)
        (project / "limits.h").write_text(header)
        options = Options(
            (Target(Path("unit.c")),), criteria=("branch",), output=Path("out"), cache=Path("store"), max_runs=30
        )
        with opened_results(options) as known:
            return {job.function for job in choose(options, known).jobs if known.find_unit(job) is not None}

    yield look
    (project / "unit.c").write_text(UNIT)
    (project / "limits.h").write_text(HEADER)


def test_all_is_found_if_nothing_was_edited(edit) -> None:
    assert edit(UNIT) == {*EVERY, "calls"}


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        pytest.param("return 7;", "return 9;", {"f"}, id="a body that nobody uses"),
        pytest.param("return 7;", "return 7;\n    if (a < -9)\n        return 6;", {"f"}, id="a longer body"),
        pytest.param("a == GREEN", "a != GREEN", {"one_line"}, id="a function in one line"),
        pytest.param("? 1 : 2", "? 1 : 3", {"helper", "g"}, id="a callee"),
        pytest.param("shared = a > 2", "shared = a > 3", {"writer", "reader"}, id="what writes a shared variable"),
        pytest.param("a < 4", "a < 5", {"twice"}, id="a function that a pointer may lead to"),
        pytest.param("{ 3, 4 }", "{ 3, 5 }", EVERY, id="an initialiser"),
        pytest.param("int x, y;", "long x, y;", EVERY, id="a type"),
        pytest.param("GREEN = 5", "GREEN = 6", EVERY, id="an enum"),
        pytest.param("int f(int a)\n", "__attribute__((noinline)) int f(int a)\n", EVERY, id="an attribute"),
        pytest.param("int f(int a)", "int f(long a)", EVERY, id="a signature"),
        pytest.param("return 7;", "return unknown(a);", EVERY, id="a name that another file must define"),
        pytest.param("return 7;", "return helper(a);", {"f", "g", "helper"}, id="another caller of a static function"),
        pytest.param("return 7;", "{ extern int shared; return shared; }", EVERY, id="a declaration in a body"),
        pytest.param("return 7;", 'asm("" ::: "memory"); return 7;', EVERY, id="assembly"),
        pytest.param("return 7;", "{ callback c = helper; return c(a); }", EVERY, id="an address that is taken"),
        pytest.param("int shared;", "int shared; /* by all */", set(), id="a comment"),
        pytest.param("static int helper", "\n\nstatic int helper", set(), id="empty lines"),
        pytest.param("return 7;", "/* seven */ return 7;", {"f"}, id="a comment in a body: reports show the line"),
    ],
)
def test_an_edit(edit, old: str, new: str, lost: set[str]) -> None:
    assert UNIT.count(old) == 1
    assert edit(UNIT.replace(old, new)) == EVERY - lost


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [("TOP 10", "TOP 11", {"helper", "g"}), ("SOME 3", "SOME 4", {"g", "helper"}), ("#define T", "\n#define T", set())],
)
def test_an_edit_of_a_header(edit, old: str, new: str, lost: set[str]) -> None:
    assert edit(UNIT, HEADER.replace(old, new)) - {"calls"} == EVERY - lost


def places(report: str) -> dict[str, list[tuple[str, int, int]]]:
    units = json.loads(Path(report).read_text())["units"]
    return {unit["function"]: [(one["id"], one["line"], one["column"]) for one in unit["objectives"]] for unit in units}


def test_places_after_lines_were_added(edit, project: Path) -> None:
    longer = UNIT.replace("return 7;", "return 6 +\n            1;").replace("int shared;", "\nint shared;")
    assert edit(longer) == EVERY - {"f"}
    assert main(["generate", "unit.c", "-q", "--json", "moved.json", *OPTIONS]) == 0
    assert main(["generate", "unit.c", "-q", "--json", "new.json", *OPTIONS, "--no-cache", "-o", "new"]) == 0
    moved, new = (json.loads(Path(name).read_text())["units"] for name in ("moved.json", "new.json"))
    kept = {unit["function"] for unit in moved if UNCHANGED in unit["notes"]}
    assert kept == EVERY - {"f"}
    assert places("moved.json") == places("new.json")
    assert places("moved.json") != places("first.json")
    for name in ("line", "decisions", "executed", "crashes", "fingerprint"):
        assert [unit[name] for unit in moved] == [unit[name] for unit in new], name


def test_a_test_that_was_removed_is_made_again_if_lines_have_moved(edit, project: Path) -> None:
    file = project / "out" / "test_unit_g.c"
    text = file.read_text()
    assert "line 19: " in text
    file.unlink()
    try:
        assert "g" not in edit(UNIT.replace("return 7;", "return 6 +\n            1;"))
        assert not file.exists()
        assert "g" in edit(UNIT.replace("return 7;", "return 6 + 1;"))
        assert file.read_text() == text
    finally:
        file.write_text(text)
        os.utime(file)
