"""Several files of a program, linked with the unit: their code is executed, only the unit's objectives count."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tightrope import cli
from tightrope.report.as_json import report_from_json
from tightrope.report.model import UnitReport

UNIT = """
int helper(int x);
extern int limit;
extern const int table[4];
extern int open_array[];
static int calls = 100;
static int twice(int x) { return x > 1000 ? 7 : 2 * x; }
int unit_level;
int f(int a, int b)
{
    calls++;
    if (helper(a) > limit)
        return 1;
    if (table[b & 3] == twice(a))
        return 2;
    return open_array[0] + (calls == 3);
}
"""
OTHER = """
int limit = 5;
const int table[4] = {10, 20, 30, 40};
int open_array[2] = {7, 8};
static int calls;
extern int unit_level;
static int twice(int x) { return x * 3 + 1; }
int helper(int x)
{
    if (x == 12345 && unit_level == 3) return 1000000;
    return twice(x) + ++calls;
}
int unused(int x) { return nowhere(x); }
int main(void) { return 3; }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "unit.c").write_text(UNIT)
    (tmp_path / "other.c").write_text("int nowhere(int);\n" + OTHER)
    return tmp_path


def generate(*words: str) -> UnitReport:
    assert cli.main(["generate", "-q", "--json", "report.json", "-o", "tests", *words]) == 0
    (unit,) = report_from_json(json.loads(Path("report.json").read_text())).units
    return unit


def write_database(folder: Path, *files: str, flags: str = "") -> None:
    entries = [{"directory": str(folder), "file": file, "command": f"cc {flags} -c {file}"} for file in files]
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def is_confirmed(unit: UnitReport) -> bool:
    confirmation = unit.confirmation
    return confirmation is not None and not (confirmation.problem or confirmation.different or confirmation.not_run)


def test_a_file_that_is_named(project: Path):
    unit = generate("unit.c:f", "--link", "other.c")
    assert unit.notes == ("linked with other.c",)
    assert unit.score("branch").covered == unit.score("branch").total == 4
    assert {objective.file for objective in unit.objectives} == {"unit.c"}
    assert is_confirmed(unit) and not unit.confirmation.disagreements
    inputs = {path for test in unit.tests for path in test.inputs}
    assert {"limit", "unit_level"} <= inputs  # both files' globals that the unit can name
    assert not any(path.startswith("table") for path in inputs)  # a constant of the other file
    assert any("calls" in text for text in unit.assumptions)  # its static one is state that no input sets


def test_the_written_tests_say_how_to_build_them(project: Path):
    unit = generate("unit.c:f", "--link", "other.c", "--", "-DX=a b")
    text = (project / unit.written[0]).read_text()
    commands = [line.strip() for line in text.splitlines() if line.startswith("       cc ")]
    assert all("-DX=a b" in shlex.split(command) for command in commands)
    assert "../other.c" in commands[0] and "-Dmain=" in commands[0]  # it has a `main` of its own
    for command in commands:
        subprocess.run(command, shell=True, check=True, cwd=project / "tests", stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("words", [(), ("--link", "auto")])
def test_a_file_is_found_in_the_database(project: Path, words: tuple[str, ...]):
    (project / "other.c").write_text(OTHER.replace("int unused(int x) { return nowhere(x); }", ""))
    write_database(project, "unit.c", "other.c", flags="-O2 -Werror")
    unit = generate("unit.c:f", *words)
    assert unit.notes == ("compiled as compile_commands.json says", "linked with other.c")
    assert unit.score("branch").covered == 4
    assert is_confirmed(unit)


def test_tables_of_other_files(project: Path):
    """Their values, and where they end, only their own file knows."""
    (project / "unit.c").write_text(
        "extern const unsigned char kinds[];\nextern int sizes[];\nextern int plain;\n"
        "int f(unsigned char c)\n{\n    if (kinds[c] == 7 && sizes[c] == 30)\n"
        "        if (plain > 4)\n            return 1;\n    return 0;\n}\n"
    )
    (project / "tables.c").write_text(
        "const unsigned char kinds[256] = { ['x'] = 7, ['z'] = 7 };\nint sizes[256] = { ['z'] = 30 };\nint plain = 3;\n"
    )
    write_database(project, "unit.c", "tables.c")
    unit = generate("unit.c:f")
    assert "linked with tables.c" in unit.notes
    assert unit.score("branch").covered == unit.score("branch").total == 6
    assert is_confirmed(unit)


def test_a_table_that_is_filled_at_run_time_is_an_input(project: Path):
    (project / "unit.c").write_text(
        "extern int sizes[];\nint f(unsigned char c)\n{\n    if (sizes[c & 3] == 30)\n        return 1;\n    return 0;\n}\n"
    )
    (project / "main.c").write_text("int sizes[4] = {0};\nint main(void) { sizes[2] = 30; return 0; }\n")
    write_database(project, "unit.c", "main.c")
    unit = generate("unit.c:f")
    assert not any("linked" in note for note in unit.notes)
    assert unit.score("branch").covered == 2


def test_stubs_in_tests_of_tightrope_are_not_linked(project: Path):
    """A project that builds its written tests has them in its database."""
    (project / "unit.c").write_text("int far(int x);\nint f(int a) { return far(a) > 30; }\n")
    (project / "tests").mkdir()
    written = "/* Written by Tightrope */\nint far(int x) { return 0; }\nvoid test_g(void) { }\n"
    (project / "tests" / "test_g_gtest.c").write_text(written)
    write_database(project, "unit.c", "tests/test_g_gtest.c")
    unit = generate("unit.c:f")
    assert unit.notes == ("compiled as compile_commands.json says",)
    assert unit.score("mcdc").covered == unit.score("mcdc").total


def test_nothing_is_linked_when_told_so(project: Path):
    write_database(project, "unit.c", "other.c")
    assert generate("unit.c:f", "--link", "none").notes == ("compiled as compile_commands.json says",)


def test_what_would_need_further_files_is_not_linked_unasked(project: Path):
    text = OTHER.replace("return twice(x)", "return nowhere(x) + twice(x)")
    (project / "other.c").write_text("int nowhere(int);\n" + text)
    write_database(project, "unit.c", "other.c")
    assert not any("linked" in note for note in generate("unit.c:f").notes)


def test_a_file_that_needs_another_is_not_linked_with_half_of_it(project: Path):
    """`one` would need `hidden`, which the unit does not call, of a file that is linked for `two`."""
    (project / "unit.c").write_text(
        "int one(int);\nint two(int);\nint f(int a)\n{\n    if (one(a) == 5)\n        return 1;\n"
        "    if (two(a) == 9)\n        return 2;\n    return 0;\n}\n"
    )
    (project / "one.c").write_text("int hidden(int);\nint one(int a) { return hidden(a) + 1; }\n")
    (project / "two.c").write_text("int hidden(int a) { return a * 2; }\nint two(int a) { return a + 4; }\n")
    write_database(project, "unit.c", "one.c", "two.c")
    unit = generate("unit.c:f")
    assert [note for note in unit.notes if "linked" in note] == ["linked with two.c"]
    assert unit.score("branch").covered == 4 and is_confirmed(unit)
    both = generate("unit.c:f", "--link", "one.c", "--link", "two.c")
    assert [note for note in both.notes if "linked" in note] == ["linked with one.c", "linked with two.c"]
    verdicts = {(o.text, o.verdict) for o in both.objectives}
    assert ("one(a) == 5 is true", "covered") in verdicts and is_confirmed(both)  # 2a + 1 == 5


DEVICE = """
#define STATUS (*(volatile unsigned *)0x40020018)
int helper(int x) { return STATUS & 4 ? x : 0; }
"""
FOREIGN = """
int helper(int x) { return x; }
void sleep_now(void) { __asm__ volatile("cpsid i\\n wfi" ::: "memory"); }
"""
CLOCK = """
#include <time.h>
int helper(int x) { return (int)time(0) + x; }
"""
CALLER = "int helper(int x);\nint f(int a)\n{\n    if (helper(a) > 5)\n        return 1;\n    return 0;\n}\n"


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (DEVICE, "it accesses registers"),
        (FOREIGN, "it contains assembly"),
        (CLOCK, "its results depend on when it is called: it calls time()"),
    ],
)
def test_files_for_which_stubs_are_better_are_not_linked_unasked(project: Path, other: str, why: str):
    (project / "unit.c").write_text(CALLER)
    (project / "other.c").write_text(other)
    write_database(project, "unit.c", "other.c")
    unit = generate("unit.c:f", "-c", "branch", "--max-runs", "50")
    (note,) = [note for note in unit.notes if "linked" in note]
    assert note.startswith(f"not linked: other.c, because {why}") and "--link" in note
    assert unit.score("branch").covered == 2 and is_confirmed(unit)
    assert any(sentence.startswith("helper(): no definition found") for sentence in unit.assumptions)


def test_registers_of_a_file_that_is_named_are_inputs(project: Path):
    (project / "unit.c").write_text(CALLER)
    (project / "other.c").write_text(DEVICE)
    unit = generate("unit.c:f", "-c", "branch", "--max-runs", "50", "--link", "other.c")
    assert unit.score("branch").covered == 2 and is_confirmed(unit)
    assert {name.partition("#")[0] for test in unit.tests for name in test.inputs} == {"a", "0x40020018"}


def test_the_remedy_is_named_when_runs_die_in_a_linked_file(project: Path):
    (project / "unit.c").write_text(CALLER)
    (project / "other.c").write_text("static int *table;\nint helper(int x)\n{\n    return table[x & 1];\n}\n")
    write_database(project, "unit.c", "other.c")
    unit = generate("unit.c:f", "-c", "branch", "--max-runs", "50")
    assert unit.score("branch").covered == 0
    assert "runs end in other.c:4, which is linked; try --stub helper" in unit.warnings
    assert generate("unit.c:f", "-c", "branch", "--max-runs", "50", "--stub", "helper").score("branch").covered == 2


def test_what_a_linked_file_leaves_to_others_is_zero(project: Path):
    (project / "third.c").write_text(
        "int deep(int); extern double level; int helper(int x) { return deep(x) + level; }"
    )
    unit = generate("unit.c:f", "--link", "third.c")
    assert is_confirmed(unit)
    assert any("deep: defined in a file that is not linked" in text for text in unit.assumptions)
    assert any("level: defined in a file that is not linked" in text for text in unit.assumptions)


def test_flags_of_their_own(project: Path):
    (project / "other.c").write_text("int helper(int x) { return x + WIDTH; }")
    entries = [("unit.c", "-DWIDTH=1"), ("other.c", "-DWIDTH=20")]
    rows = [{"directory": str(project), "file": f, "command": f"cc {flags} -c {f}"} for f, flags in entries]
    (project / "compile_commands.json").write_text(json.dumps(rows))
    unit = generate("unit.c:f", "--assume", "limit == 30")
    assert is_confirmed(unit)
    text = (project / unit.written[0]).read_text()
    assert "cc -DWIDTH=20 -c ../other.c -o test_unit_f_1.o" in text


def test_several_functions_at_a_time(project: Path):
    (project / "unit.c").write_text(UNIT + "int g(int a) { return helper(a) == 7 ? 1 : 9; }\n")
    (project / "other.c").write_text(OTHER.replace("int unused(int x) { return nowhere(x); }", ""))
    write_database(project, "unit.c", "other.c")
    assert cli.main("generate unit.c:f unit.c:g -q --jobs 2 --json report.json -o tests".split()) == 0
    units = report_from_json(json.loads(Path("report.json").read_text())).units
    assert [unit.function for unit in units] == ["f", "g"]
    assert all(is_confirmed(unit) and "linked with other.c" in unit.notes for unit in units)


def test_a_stub_that_is_asked_for_is_not_linked(project: Path):
    (project / "other.c").write_text(OTHER.replace("int unused(int x) { return nowhere(x); }", ""))
    write_database(project, "unit.c", "other.c")
    unit = generate("unit.c:f", "--stub", "helper")
    assert not any("linked" in note for note in unit.notes)
    assert is_confirmed(unit)
    assert any(path.startswith("helper#1") for test in unit.tests for path in test.inputs)


def test_defined_twice(project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "other.c").write_text("int f(int a, int b) { return 0; }")
    assert cli.main(["generate", "unit.c:f", "--link", "other.c", "-o", "tests"]) == 2
    assert "`f` is defined in unit.c and in" in capsys.readouterr().err


def test_what_several_files_may_define(project: Path):
    """`int x;` in a header with -fcommon, and weak functions."""
    (project / "unit.c").write_text(
        "int shared; int helper(int); __attribute__((weak)) int level(void) { return 1; }\n"
        "int f(int a) { if (helper(a) == 12 && level() == 2) return 1; return 0; }\n"
    )
    (project / "other.c").write_text(
        "int shared; int level(void) { return 2; } int helper(int a) { return a + shared; }"
    )
    unit = generate("unit.c:f", "--link", "other.c", "--", "-fcommon")
    assert unit.notes == ("linked with other.c",)
    assert is_confirmed(unit)
    assert {o.text: o.verdict for o in unit.objectives}["level() == 2 is true"] == "covered"


def test_no_such_file(project: Path, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["generate", "unit.c:f", "--link", "gone.c", "-o", "tests"]) == 2
    assert "--link: there is no file gone.c" in capsys.readouterr().err


def test_in_a_spec_file_paths_start_at_it(project: Path, monkeypatch: pytest.MonkeyPatch):
    (project / "tightrope.toml").write_text('link = ["other.c"]\n')
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    assert generate("../unit.c:f").score("branch").covered == 4


def test_the_first_entry_that_compiles_is_used(project: Path):
    (project / "unit.c").write_text('#include "wanted.h"\nint f(int a) { return a > WANTED ? 1 : 9; }\n')
    (project / "inc").mkdir()
    (project / "inc" / "wanted.h").write_text("#define WANTED 3\n")
    rows = [
        {"directory": str(project), "file": "unit.c", "command": f"cc {flags} -c unit.c"} for flags in ("", "-Iinc")
    ]
    (project / "compile_commands.json").write_text(json.dumps(rows))
    assert is_confirmed(generate("unit.c:f"))


def test_a_linked_file_may_free_what_the_unit_received(project: Path):
    (project / "memory.c").write_text("#include <stdlib.h>\nvoid release(void *p) { free(p); }\n")
    (project / "list.c").write_text(
        "struct node { struct node *next; int key; };\nvoid release(void *p);\n"
        "int drop(struct node **list)\n{\n    struct node *p = *list;\n    if (!p) return 0;\n"
        "    *list = p->next;\n    release(p);\n    return *list ? 1 : 2;\n}\n"
    )
    unit = generate("list.c:drop", "--link", "memory.c", "-c", "branch")
    assert {each.verdict for each in unit.objectives} == {"covered"}
    assert is_confirmed(unit)
    again = generate("list.c:drop", "--link", "memory.c", "-c", "branch")  # its earlier tests are built in the same way
    assert again.changes == ()
    assert is_confirmed(again)
    written = Path("tests/test_list_drop.c")
    build = [line.strip() for line in written.read_text().splitlines() if line.startswith("       cc ")]
    assert subprocess.run(" && ".join(build), shell=True, cwd="tests").returncode == 0


def test_a_linked_file_may_get_no_memory(project: Path):
    """And what it resizes may be what the unit received, which in a test is no block of the heap."""
    (project / "memory.h").write_text(
        "#include <stddef.h>\nvoid give_back(void *p);\nvoid *resize(void *p, size_t n);\nchar *copy_of(const char *s);\n"
    )
    (project / "memory.c").write_text(
        '#include <stdlib.h>\n#include <string.h>\n#include "memory.h"\nvoid give_back(void *p) { free(p); }\n'
        "void *resize(void *p, size_t n) { return realloc(p, n); }\nchar *copy_of(const char *s) { return strdup(s); }\n"
    )
    (project / "names.c").write_text(
        '#include "memory.h"\nstruct name { char *text; int number; };\nstruct list { struct name *names; int count; };\n'
        "int add(struct list *l, const char *text, int number)\n{\n    for (int i = 0; i < l->count; i++) {\n"
        "        if (l->names[i].number == number) {\n            give_back(l->names[i].text);\n"
        "            l->names[i].text = copy_of(text);\n            return l->names[i].text ? 0 : -1;\n        }\n    }\n"
        "    struct name *more = resize(l->names, sizeof *more * (size_t)(l->count + 1));\n    if (!more)\n"
        "        return -1;\n    l->names = more;\n    more[l->count].number = number;\n"
        "    more[l->count].text = copy_of(text);\n    if (!more[l->count].text)\n        return -2;\n"
        "    l->count++;\n    return 0;\n}\n"
    )
    unit = generate("names.c:add", "--link", "memory.c", "-c", "branch")
    assert {each.verdict for each in unit.objectives} == {"covered"}
    assert is_confirmed(unit)
    assert "realloc(): each of its first 4 calls may fail" in unit.assumptions
    written = Path("tests/test_names_add.c")
    build = [line.strip() for line in written.read_text().splitlines() if line.startswith("       cc ")]
    assert subprocess.run(" && ".join(build), shell=True, cwd="tests").returncode == 0


@pytest.mark.parametrize(("linked", "assumed"), [((), "it is zero"), (("--link", "other.c"), "its initial value")])
def test_a_variable_that_only_a_function_declares(project: Path, linked: tuple[str, ...], assumed: str):
    (project / "unit.c").write_text(
        "int above(int a)\n{\n    extern int limit;\n    return limit > a;\n}\nint beside(int a) { return a > 1; }\n"
    )
    for function in ("above", "beside"):
        unit = generate(f"unit.c:{function}", *linked)
        assert unit.score("mcdc").covered == unit.score("mcdc").total == 4
        assert is_confirmed(unit)
        assert any(each.startswith("limit: ") and assumed in each for each in unit.assumptions) is (function == "above")
