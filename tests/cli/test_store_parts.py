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
from tightrope.report.as_json import report_from_json
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
void late(void)
{
    static callback kept;
    kept = 0;
}
"""
HEADER = "#define TOP 10\n#define SOME 3\n"
# The pointer of `calls` may lead to functions that its code does not mention: the first four of its type.
EVERY = {"helper", "f", "g", "one_line", "writer", "reader", "twice", "calls", "late"}
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
    assert edit(UNIT) == EVERY


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        pytest.param("return 7;", "return 9;", {"f", "calls"}, id="a body that nobody uses"),
        pytest.param("return 7;", "return 7;\n    if (a < -9)\n        return 6;", {"f", "calls"}, id="a longer body"),
        pytest.param("a == GREEN", "a != GREEN", {"one_line", "calls"}, id="a function in one line"),
        pytest.param("? 1 : 2", "? 1 : 3", {"helper", "g", "calls"}, id="a callee"),
        pytest.param(
            "shared = a > 2",
            "shared = a > 3",
            {"writer", "calls"},
            id="what writes a shared variable, an input of others",
        ),
        pytest.param("a < 4", "a < 5", {"twice"}, id="it has the type of a pointer, but four others come first"),
        pytest.param("{ 3, 4 }", "{ 3, 5 }", EVERY, id="an initialiser"),
        pytest.param("int x, y;", "long x, y;", EVERY, id="a type"),
        pytest.param("GREEN = 5", "GREEN = 6", EVERY, id="an enum"),
        pytest.param("int f(int a)\n", "__attribute__((noinline)) int f(int a)\n", EVERY, id="an attribute"),
        pytest.param("int f(int a)", "int f(long a)", EVERY, id="a signature"),
        pytest.param("return 7;", "return unknown(a);", EVERY, id="a name that another file must define"),
        pytest.param("return 7;", "return helper(a);", {"f", "calls"}, id="another caller of a static function"),
        pytest.param("return 7;", "{ extern int shared; return shared; }", EVERY, id="a declaration in a body"),
        pytest.param("return 7;", 'asm("" ::: "memory"); return 7;', {"f", "calls"}, id="assembly"),
        pytest.param("return 7;", "{ callback c = helper; return c(a); }", {"f", "calls"}, id="a call by another name"),
        pytest.param("kept = 0;", "kept = twice;", {"late", "twice", "calls"}, id="an address that is taken"),
        pytest.param("int shared;", "int shared; /* by all */", set(), id="a comment"),
        pytest.param("static int helper", "\n\nstatic int helper", set(), id="empty lines"),
        pytest.param(
            "return 7;", "/* seven */ return 7;", {"f", "calls"}, id="a comment in a body: reports show the line"
        ),
    ],
)
def test_an_edit(edit, old: str, new: str, lost: set[str]) -> None:
    assert UNIT.count(old) == 1
    assert edit(UNIT.replace(old, new)) == EVERY - lost


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [("TOP 10", "TOP 11", {"helper", "g", "calls"}), ("SOME 3", "SOME 4", {"g"}), ("#define T", "\n#define T", set())],
)
def test_an_edit_of_a_header(edit, old: str, new: str, lost: set[str]) -> None:
    assert edit(UNIT, HEADER.replace(old, new)) == EVERY - lost


def places(report: str) -> dict[str, list[tuple[str, int, int]]]:
    units = json.loads(Path(report).read_text())["units"]
    return {unit["function"]: [(one["id"], one["line"], one["column"]) for one in unit["objectives"]] for unit in units}


def test_places_after_lines_were_added(edit, project: Path) -> None:
    longer = UNIT.replace("return 7;", "return 6 +\n            1;").replace("int shared;", "\nint shared;")
    assert edit(longer) == EVERY - {"f", "calls"}
    assert main(["generate", "unit.c", "-q", "--json", "moved.json", *OPTIONS]) == 0
    assert main(["generate", "unit.c", "-q", "--json", "new.json", *OPTIONS, "--no-cache", "-o", "new"]) == 0
    moved, new = (json.loads(Path(name).read_text())["units"] for name in ("moved.json", "new.json"))
    kept = {unit["function"] for unit in moved if UNCHANGED in unit["notes"]}
    assert kept == EVERY - {"f", "calls"}
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


# -- what else a result depends on

DECISION = """\
int {name}(int a)
{{
    if ({call} && a < 2)
        return 1;
    return 0;
}}
"""


def verdicts(folder: Path, *targets: str) -> dict[str, tuple[str, ...]]:
    """Of each function, as the command tells them: with the store, and without it."""
    words = ["generate", *targets, "-q", "-c", "branch", "--max-runs", "30", "--json", str(folder / "report.json")]
    found = []
    for more in (
        ("--cache", str(folder / "store"), "-o", str(folder / "out")),
        ("--no-cache", "-o", str(folder / "new")),
    ):
        assert main([*words, *more]) == 0
        units = json.loads((folder / "report.json").read_text())["units"]
        found.append({each["function"]: tuple(one["verdict"] for one in each["objectives"]) for each in units})
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize(
    ("before", "call"),
    [
        pytest.param('int f(int) __asm__("f_impl");\nint f(int a)\n', "f(a)", id="an asm label"),
        pytest.param("int gr\u00f6\u00dfe(int a)\n", "gr\u00f6\u00dfe(a)", id="not ASCII"),
        pytest.param("int __attribute__((overloadable)) f(int a)\n", "f(a)", id="overloaded"),
    ],
)
def test_a_function_with_another_name_in_the_compiled_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, call: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "unit.c"
    file.write_text(f"{before}{{\n    return a > 3;\n}}\n{DECISION.format(name='h', call=call)}")
    assert "infeasible" in verdicts(tmp_path, "unit.c:h")["h"]
    file.write_text(file.read_text().replace("a > 3", "a > 0"))
    assert "infeasible" not in verdicts(tmp_path, "unit.c:h")["h"]


def write_project(folder: Path, flag: str = "-DX=4", **files: str) -> None:
    """The flag is for all files but the unit."""
    entries = []
    for name, text in files.items():
        (folder / f"{name}.c").write_text(text)
        words = ["cc", "-c", f"{name}.c", *([flag] if name != "unit" else [])]
        entries.append({"directory": str(folder), "file": f"{name}.c", "arguments": words})
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def test_a_linked_file_that_replaces_a_weak_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hook` is no name that the unit lacks: the file is linked for `foo`."""
    monkeypatch.chdir(tmp_path)
    weak = "int foo(int);\n__attribute__((weak)) int hook(void)\n{\n    return 0;\n}\n"
    unit = weak + DECISION.format(name="g", call="foo(a) && hook() == 5")
    other = "int hook(void)\n{\n    return 4;\n}\nint foo(int a)\n{\n    return a > -9;\n}\n"
    write_project(tmp_path, unit=unit, other=other)
    first = verdicts(tmp_path, "unit.c", "other.c")["g"]
    write_project(tmp_path, unit=unit, other=other.replace("return 4", "return 5"))
    assert verdicts(tmp_path, "unit.c", "other.c")["g"] != first


def test_a_linked_file_that_another_database_compiles_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a unit, it has the flags of the database beside it; as a linked file, those of the unit's database."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    write_project(tmp_path / "lib", "-DX=9", other="int foo(int a)\n{\n    return X + (a > 1);\n}\n")
    unit = "int foo(int);\n" + DECISION.format(name="g", call="foo(a) == 5")
    every = {"unit": unit, "lib/other": (tmp_path / "lib" / "other.c").read_text()}
    write_project(tmp_path, "-DX=1", **every)
    first = verdicts(tmp_path, "unit.c", "lib/other.c")["g"]
    write_project(tmp_path, "-DX=5", **every)
    assert verdicts(tmp_path, "unit.c", "lib/other.c")["g"] != first


def test_a_linked_file_that_was_edited_between_two_commands_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    unit, other = (
        "int foo(int);\n" + DECISION.format(name="g", call="foo(a) == 5"),
        "int foo(int a)\n{\n    return 4;\n}\n",
    )
    write_project(tmp_path, unit=unit, other=other)
    first = verdicts(tmp_path, "unit.c")["g"]
    assert "infeasible" in first and "unknown" not in first
    write_project(tmp_path, unit=unit, other=other.replace("4", "5"))
    second = verdicts(tmp_path, "unit.c")["g"]
    assert second != first and "unknown" not in second
    write_project(tmp_path, unit=unit, other=other.replace("foo", "bar"))
    assert set(verdicts(tmp_path, "unit.c")["g"]) == {"covered"}


def test_a_function_that_reads_number_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then `read` is no stub, in all functions of the file."""
    monkeypatch.chdir(tmp_path)
    one = "int {name}(int fd)\n{{\n    char c = 0;\n    return read({file}, &c, 1) == 1 && c == 7;\n}}\n"
    declared = "long read(int, void *, unsigned long);\n"
    options = Options((Target(Path("unit.c")),), cache=Path("store"))
    parts = []
    for file in ("3", "4", "0"):
        Path("unit.c").write_text(declared + one.format(name="g", file="fd") + one.format(name="h", file=file))
        with opened_results(options) as known:
            parts.append(choose(options, known).jobs[0].part)
    assert parts[0] is not None
    assert parts[0] == parts[1]
    assert parts[1] != parts[2]


def test_a_header_that_is_edited_while_a_function_is_tested(edit, project: Path) -> None:
    """The result may be about the one or the other text."""
    (unit,) = (
        each for each in report_from_json(json.loads(Path("first.json").read_text())).units if each.function == "g"
    )
    options = Options(
        (Target(Path("unit.c")),), criteria=("branch",), output=Path("out"), cache=Path("another"), max_runs=30
    )
    for header in (HEADER.replace("SOME 3", "SOME 4"), HEADER):
        with opened_results(options) as known:
            (job,) = (each for each in choose(options, known).jobs if each.function == "g")
            assert known.find_unit(job) is None
            (project / "limits.h").write_text(header)
            known.keep_unit(job, unit)
        (project / "limits.h").write_text(HEADER)
    with opened_results(options) as known:
        assert known.find_unit(job) is not None
