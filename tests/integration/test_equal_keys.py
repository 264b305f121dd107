"""Equal keys of the store mean equal units: what functions do that a unit cannot reach is in its key, or changes nothing
of the unit. So nothing that looks at a whole file may be forgotten in the key (units/code_parts.py)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.soundness.assumptions import list_assumptions
from tightrope.soundness.doubts import OF_UNIT
from tightrope.source.toolchain import find_compiler
from tightrope.units.code_parts import find_code_parts
from tightrope.units.prepare import prepare_file, prepare_unit
from tightrope.units.prepared import PreparedFile

DECLARED = """\
int printf(const char *, ...);
long read(int, void *, unsigned long);
void exit(int);
int other(int);
extern int board, ports[];
typedef int (*callback)(int);
struct link { struct link *next; char name[4]; int length; };
static int count, *place, *hidden;
int shared, table[4] = { 1, 2, 3, 4 };
static int *slot(void) { return &count; }
static int fitting(int v) { return v + count; }
static long other_type(long v) { return v + count; }
static int clamp(int v, int most) { return v > most ? most : v; }
"""
# It uses all that a file has, so that whatever is found out about that is found out for it, too.
UNIT = """\
int unit(struct link *at, const char *text, int n, int fd, callback call)
{
    char room[4];
    int sum = *slot() + count + (place ? *place : 0) + shared + table[n & 3] + board + ports[n & 1];
    for (int i = 0; i < n; i++)
        sum += text[i];
    if (at && at->next && at->next->length > 3)
        sum += clamp(at->name[0], 7) + other(n) + call(sum);
    printf("%d", sum);
    return read(fd, room, 4) == 4 && sum > 3;
}
"""
EDITED = """\
int edited(int a, struct link *at, char *text)
{
    BODY
}
"""
UNCHANGED = (
    "shared = a; return count++;",
    "*slot() = a; return *slot() == 3;",
    "hidden = &count; place = &a; return hidden == place;",
    "place = (int *)text; *(int **)text = &count; return *place;",
    "return clamp(a, 3) + clamp(text[2], a);",
    "return unit(at, text, 9, a, (callback)text) + unit(0, 0, -1, 3, 0);",
    "while (at) at = at->next; return text[7] == 'x' && at->next->name[2] > 5;",
    "for (int i = 0; i < a; i++) table[i] = ports[i]; return a == 77;",
    "board = a; return other(a) == 12;",
    'return printf("%d%n", a, &shared) > 4;',
    "static int own; own += a; place = &own; return own;",
    "callback found = (callback)clamp; return found(a);",  # the compiler calls it directly
    "place = (int *)edited; return 1;",  # no call of the unit has its type
    "place = (int *)other_type; return 1;",
    '__asm__("" ::: "memory"); return 1;',
)
CHANGED = (
    "place = (int *)clamp; return 1;",  # the unit calls it, and its address is taken now
    "place = (int *)fitting; return 1;",  # a pointer that the unit calls may lead there
    "return *(volatile int *)0x4000;",
    "return *(volatile int *)&board;",
    "return read(0, text, 1);",
    "other(a); __builtin_unreachable();",
    "return more(a);",
    "extern int beside; return beside;",
)


def look_at(file: Path, function: str) -> tuple[str, dict[str, Any]]:
    """The key, and all that the unit is made of."""
    prepared, options = prepare(file)
    unit = prepare_unit(prepared, function, options)
    lines = unit.woven.text.split("\n")
    shown = {
        "shape": re.sub(r"\b(type|target)=\d+", r"\1", repr(unit.shape)),  # numbers of types are those of all types
        "driver": unit.driver.text,
        "code": [re.sub(r"(@[\w.]+?)\.\d+\b", r"\1", line) for line in lines if not line.startswith(("@", "source_"))],
        "objectives": [(each.id, each.sentence, each.problem) for each in unit.objectives],
        "doubts": [(row.name, *row.find(unit)) for row in OF_UNIT if row.holds(unit)],
        "assumptions": list(list_assumptions(unit)),
        "remarks": unit.remarks,
    }
    parts = find_code_parts(prepared)
    return parts[function].digest if function in parts else "", shown


def prepare(file: Path) -> tuple[PreparedFile, Options]:
    options = Options((Target(file),), criteria=("mcdc", "branch", "def-use"))
    return prepare_file(find_compiler(), file, options, print), options


def with_body(body: str) -> str:
    return DECLARED + "int more(int);\n" + UNIT + EDITED.replace("BODY", body)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, dict[str, Any]]:
    file = tmp_path_factory.mktemp("keys") / "unit.c"
    file.write_text(with_body("return a;"))
    return file, *look_at(file, "unit")


@pytest.mark.parametrize("body", UNCHANGED)
def test_what_a_unit_cannot_reach_changes_nothing_of_it(usual: tuple[Path, str, dict[str, Any]], body: str) -> None:
    file, key, expected = usual
    file.write_text(with_body(body))
    found = look_at(file, "unit")
    assert found[0] == key
    assert found[1] == expected


@pytest.mark.parametrize("body", CHANGED)
def test_what_counts_for_the_whole_file_is_in_every_key(usual: tuple[Path, str, dict[str, Any]], body: str) -> None:
    file, key, _ = usual
    file.write_text(with_body(body))
    part = find_code_parts(prepare(file)[0]).get("unit")
    assert part is None or part.digest != key


@pytest.mark.parametrize("body", ['__asm__("" ::: "memory"); return v > most ? most : v;', "return edited(v, 0, 0);"])
def test_a_unit_that_may_reach_assembly_has_no_key(tmp_path: Path, body: str) -> None:
    text = with_body('__asm__("" ::: "memory"); return 1;').replace("return v > most ? most : v;", body)
    (tmp_path / "unit.c").write_text("struct link;\nint edited(int, struct link *, char *);\n" + text)
    parts = find_code_parts(prepare(tmp_path / "unit.c")[0])
    assert {"slot", "fitting", "other_type"} <= parts.keys()
    assert parts.keys().isdisjoint({"unit", "clamp", "edited"})


def test_what_a_flat_function_calls_is_in_it(tmp_path: Path) -> None:
    """There is no call then."""
    text = "static int clamp(int v) { return v > 3; }\n__attribute__((flatten)) int unit(int v) { return clamp(v); }\n"
    (tmp_path / "unit.c").write_text(text)
    assert not find_code_parts(prepare(tmp_path / "unit.c")[0])


LINKED = """\
int printf(const char *, ...);
int other(int a) { printf("%d", a); return a; }
int edited(int a)
{
    BODY
}
"""


def test_what_no_run_reaches_in_a_linked_file_changes_nothing(tmp_path: Path) -> None:
    """All of a linked file is linked, but a result depends on the part that the unit calls."""
    (tmp_path / "unit.c").write_text(
        'int printf(const char *, ...);\nint other(int);\nint unit(int a) { printf(""); return other(a) > 3; }\n'
    )
    entries = [
        {"directory": str(tmp_path), "file": name, "command": f"cc -c {name}"} for name in ("unit.c", "linked.c")
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    found = []
    for body in ("return a;", 'return printf("%d%n", a, &a) > 4;', "return other(a) == 3;"):
        (tmp_path / "linked.c").write_text(LINKED.replace("BODY", body))
        _, shown = look_at(tmp_path / "unit.c", "unit")
        assert any("@other" in line and line.startswith("define") for line in shown.pop("code"))
        key, _ = look_at(tmp_path / "linked.c", "other")
        found.append((key, shown))
    assert found[1] == found[0]
    assert found[2] == found[0]
