"""`tightrope annotate --instrumentation`: P* and P' of paper 002 as C that any compiler builds, and what runs of it note."""

import json
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import tightrope
from tightrope.cli import main
from tightrope.source.toolchain import find_compiler

INCLUDE = Path(tightrope.__file__).parent / "include"

UNIT = """\
int pick(int a, int b)
{
    int r = 0;
    if (a > 3 && b != a) r = 2; else if (a < b) return -a;
    for (int i = 0; i < 3 && a > i; i++) r += i / 2;
    while (a > 5 || (b & 1)) { a = 0; b -= b; if (a < 2) break; }
    switch (b) { case 1: r = a; break; default: break; }
    return r + (a && b > r);
}
"""
LABELS = """\
int pick(int a, int b)
{
    if (a > 3)
        return a == b;
    return b < 7 ? a : b;
}
"""

MAIN = """\
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int pick(int, int);
int main(int count, char **words)
{
    errno = 77;
    printf("%d", count > 2 ? pick(atoi(words[1]), atoi(words[2])) : 0);
    printf(" %d\\n", errno);
    return 7;
}
"""

INPUTS = [(0, 0), (4, 4), (4, 5), (2, 3), (9, 1), (3, 1), (6, -2)]


@pytest.fixture
def unit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TIGHTROPE_COVERAGE", raising=False)
    monkeypatch.delenv("TIGHTROPE_NONDET", raising=False)
    (tmp_path / "unit.c").write_text(UNIT)
    (tmp_path / "main.c").write_text(MAIN)
    return tmp_path


def annotate(capfd, *words: str) -> str:
    assert main(["annotate", *words]) == 0
    return capfd.readouterr().out


def command_of(compiler: str) -> list[str]:
    if compiler == "bundled":
        return [*find_compiler().command]
    if not shutil.which(compiler):
        pytest.skip(f"there is no {compiler} here")
    return [compiler]


def build(name: str, *sources: str, flags: tuple[str, ...] = ()) -> str:
    """With the compiler of this machine, or ours where there is none."""
    command = ["gcc"] if shutil.which("gcc") else [*find_compiler().command, "-fno-sanitize=undefined"]
    subprocess.run([*command, "-w", f"-I{INCLUDE}", *flags, *sources, "-o", name], check=True)
    return f"./{name}"


def run(program: str, *words: object, nondet: str = "", coverage: str = "covered") -> tuple[int, str]:
    environment = {**os.environ, "TIGHTROPE_NONDET": nondet, "TIGHTROPE_COVERAGE": coverage}
    done = subprocess.run(
        [program, *map(str, words)], capture_output=True, text=True, check=False, timeout=10, env=environment
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def covered(file: str = "covered") -> list[int]:
    return [int(line) for line in Path(file).read_text().splitlines()] if Path(file).exists() else []


# --- the text


def test_without_the_option_labels_stay_plain(unit, capfd):
    plain = annotate(capfd, "unit.c", "-c", "limit")
    assert 'pc_label(a == 3, 1, "limit:equal");' in plain
    (unit / "tightrope.toml").write_text('instrumentation = "direct"\n')  # that is about `generate`
    assert annotate(capfd, "unit.c", "-c", "limit") == plain


@pytest.mark.parametrize(("how", "macro"), [("tight", "TIGHTROPE_TIGHT"), ("direct", "TIGHTROPE_DIRECT")])
def test_lines_stay_where_they_were_and_other_tools_know_them(unit, capfd, how, macro):
    text = annotate(capfd, "unit.c", "-c", "limit", "--instrumentation", how)
    above, _, rest = text.partition("#line TIGHTROPE_PLACE\n")
    lines = rest.splitlines()
    assert lines[3].startswith(f'    {macro}(a == 3, 1, "limit:equal"); {macro}(a == 4, 2, "limit:above"); ')
    assert [line[-3:] for line in lines] == [line[-3:] for line in UNIT.splitlines()]
    assert f"#define TIGHTROPE_PLACE {above.count(chr(10)) + 2}\n" in above
    (unit / "out.c").write_text(text.replace("int r = 0;", "int r = nothing;"))
    done = subprocess.run([*find_compiler().command, "-c", "out.c"], capture_output=True, text=True, check=False)
    assert "unit.c:3:13: error:" in done.stderr


@pytest.mark.parametrize("compiler", ["bundled", "gcc", "clang"])
def test_any_compiler_takes_it(unit, capfd, compiler):
    command = command_of(compiler)
    text = annotate(capfd, "unit.c", "-c", "limit,mcc", "--instrumentation", "tight")
    both = text + text.partition("#line TIGHTROPE_PLACE\n")[2].replace("TIGHT(", "DIRECT(").replace("pick", "choose")
    (unit / "out.c").write_text(both)
    (unit / "cprover.h").write_text("void __CPROVER_assume(_Bool); void __CPROVER_cover(_Bool);\n")
    verifier = "-DTIGHTROPE_VERIFIER"
    modes = [[], ["-DTIGHTROPE_KLEE"], [verifier], [verifier, "-DTIGHTROPE_WANTED=3"]]
    for flags in [*modes, ["-DTIGHTROPE_CBMC", "-include", "cprover.h"]]:
        words = [*command, "-std=c99", "-pedantic-errors", "-w", "-c", "-o", "out.o", *flags, "out.c"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), flags


def test_a_unit_may_have_the_names_of_the_library_for_itself(unit, capfd):
    own = "static char *exit, getenv; static int fopen(double x) { return x > 1; } enum { _exit, perror, errno };\n"
    own += "struct FILE { int fgetc; };\nint pick(int a, int b) { if (fopen(a) && !exit) return b; return getenv; }\n"
    (unit / "unit.c").write_text(own)
    (unit / "out.c").write_text(
        annotate(capfd, "unit.c", "-c", "condition", "-f", "pick", "--instrumentation", "tight")
    )
    assert run(build("tight", "out.c", "main.c"), 5, 6) == (7, "6 77\n")


def test_labels_in_the_source_become_code_too(unit, capfd):
    own = 'int pick(int a, int b)\n{\n    pc_label(a > b, 7, "MORE");\n    if (a) pc_label(b, 8); else b++;\n'
    (unit / "unit.c").write_text(own + "    return b;\n}\n")
    text = annotate(capfd, "unit.c", "-c", "label", "--instrumentation", "direct")
    assert '(TIGHTROPE_DIRECT(a > b, 1, "label:MORE:7"), pc_label(a > b, 7, "MORE"));' in text
    (unit / "out.c").write_text(text)
    program = build("direct", "out.c", "main.c")
    assert run(program, 0, 5) == (7, "6 77\n")
    assert covered() == []
    run(program, 5, 4)
    assert covered() == [1, 2]


# --- native runs


def test_what_no_run_chooses_changes_nothing(unit, capfd):
    programs = [build("plain", "unit.c", "main.c")]
    for how in ("tight", "direct"):
        (unit / f"{how}.c").write_text(annotate(capfd, "unit.c", "-c", "limit,mcc", "--instrumentation", how))
        programs.append(build(how, f"{how}.c", "main.c"))
    for words in INPUTS:
        plain, tight, direct = (run(program, *words, coverage=f"of{program[2:]}") for program in programs)
        assert plain == tight == direct
    assert not Path("oftight").exists()
    assert covered("ofdirect")


def build_few(unit, capfd, *sources: str, flags: tuple[str, ...] = ()) -> str:
    """P* with the labels 1: a == 3, 2: a == 4, 3: a == b, ... (limits of the comparisons, in their order)."""
    (unit / "unit.c").write_text(LABELS)
    (unit / "out.c").write_text(annotate(capfd, "unit.c", "-c", "limit", "--instrumentation", "tight"))
    return build("tight", "out.c", "main.c", *sources, flags=flags)


def test_a_run_covers_the_label_that_it_chooses_and_ends_there(unit, capfd):
    tight = build_few(unit, capfd)
    assert run(tight, 4, 4, nondet="1") == (1, "")  # a == 3 does not hold
    assert covered() == []
    assert run(tight, 4, 4, nondet="01") == (0, "")
    assert covered() == [2]
    assert run(tight, 4, 4, nondet="01") == (0, "")  # label 2 has been deleted: the second open one is 3
    assert run(tight, 3, 9, nondet="1") == (0, "")
    assert covered() == [2, 3, 1]
    assert run(tight, 4, 9, nondet="0000") == (7, "0 77\n")
    Path("bits").write_bytes(b"\0\2")
    assert run(tight, 4, 4, nondet="@bits", coverage="others") == (7, "1 77\n")
    Path("bits").write_bytes(b"\0\3")
    assert run(tight, 4, 4, nondet="@bits", coverage="others") == (0, "")
    assert covered("others") == [2]


def test_one_label_can_be_wanted(unit, capfd):
    tight = build_few(unit, capfd, flags=("-DTIGHTROPE_WANTED=2",))
    assert run(tight, 3, 9, nondet="1") == (1, "")
    assert run(tight, 4, 9, nondet="1") == (0, "")
    assert covered() == [2]
    assert run(tight, 4, 9, nondet="1") == (7, "0 77\n")


def test_labels_of_runs_are_those_that_tightrope_measures(unit, capfd):
    words = ("unit.c", "-c", "limit,condition")
    (unit / "labelled.c").write_text(annotate(capfd, *words))
    (unit / "direct.c").write_text(annotate(capfd, *words, "--instrumentation", "direct"))
    program = build("direct", "direct.c", "main.c")
    (unit / "inputs.json").write_text(json.dumps([{"a": a, "b": b} for a, b in INPUTS]))
    assert main(["measure", "labelled.c:pick", "--suite", "inputs.json", "-c", "label", "--json", "m.json", "-q"]) == 0
    objectives = json.loads((unit / "m.json").read_text())["units"][0]["objectives"]
    measured = {int(each["id"].rpartition(":")[2]) for each in objectives if each["verdict"] == "covered"}
    for each in INPUTS:
        run(program, *each)
    assert set(covered()) == measured
    assert len(covered()) == len(measured)  # a run does not note again what the file has
    assert 0 < len(measured) < len(objectives)


# --- engines

KLEE = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *choices = "01";
void klee_make_symbolic(void *at, size_t size, const char *name)
{
    memset(at, *choices ? *choices++ - '0' : 0, size);
    FILE *file = fopen("covered", "a"); /* as another state would meanwhile */
    fputs("2\\n", file);
    fclose(file);
}
void klee_silent_exit(int status) { exit(99); }
"""


def test_states_of_one_process_share_the_coverage_file(unit, capfd):
    """The choice at label 1 lets another state cover 2, so the second one is made at label 3."""
    (unit / "klee.c").write_text(KLEE)
    program = build_few(unit, capfd, "klee.c", flags=("-DTIGHTROPE_KLEE",))
    assert run(program, 4, 4) == (0, "")
    assert covered() == [2, 2, 3]
    assert run(program, 3, 7) == (0, "")
    assert run(program, 5, 4) == (99, "")


PROGRAM = """\
extern int __VERIFIER_nondet_int(void);
static int grade(int points, int bonus)
{
    int total = points;
    if (points > 40 && bonus)
        total = points + 2 * bonus;
    if (total == points)
        return 0;
    while (total > 100)
        total -= 7;
    return total / 10;
}
int main(void)
{
    int points = __VERIFIER_nondet_int(), bonus = __VERIFIER_nondet_int();
    if (points < 0 || points > 100 || bonus < 0 || bonus > 3)
        return 1;
    int result = grade(points, bonus);
    return result > 10;
}
"""
REPLAY = """\
#include <stdio.h>
#include <stdlib.h>
static int next(void) { int value; return scanf("%d", &value) == 1 ? value : 0; }
int __VERIFIER_nondet_int(void) { return next(); }
_Bool __VERIFIER_nondet_bool(void) { return next(); }
void __VERIFIER_assume(int holds) { if (!holds) exit(1); }
void note(int number) { printf("%d\\n", number); }
"""


def covered_objectives(*words: str) -> set[int]:
    assert main(["generate", *words, "--json", "report.json", "--no-confirm", "-q"]) == 0
    objectives = json.loads(Path("report.json").read_text())["units"][0]["objectives"]
    return {int(each["id"].rpartition(":")[2]) for each in objectives if each["verdict"] == "covered"}


def test_an_engine_that_knows_no_labels_covers_the_same(unit, capfd):
    """Tightrope as that engine: it sees branches only, and draws. Its tests are run natively."""
    (unit / "program.c").write_text(PROGRAM)
    (unit / "labelled.c").write_text(annotate(capfd, "program.c", "-c", "limit"))
    (unit / "tight.c").write_text(annotate(capfd, "program.c", "-c", "limit", "--instrumentation", "tight"))
    wanted = covered_objectives("labelled.c:main", "--whole-program", "-c", "label")
    words = ["generate", "tight.c:main", "-c", "branch", "--format", "testcomp", "--no-confirm", "-q"]
    assert main([*words, "--", "-DTIGHTROPE_VERIFIER"]) == 0
    (unit / "replay.c").write_text(REPLAY)
    flags = ("-DTIGHTROPE_VERIFIER", "-DTIGHTROPE_SET_COVERED(k)=note(k)", "-include", "note.h")
    (unit / "note.h").write_text("void note(int);\n")
    program = build("tight", "tight.c", "replay.c", flags=flags)
    found: set[int] = set()
    for test in sorted((unit / "tightrope-tests").glob("*-testcomp/*_*.xml")):
        values = [each.text or "" for each in ET.parse(test).getroot().iter("input")]
        done = subprocess.run([program], input=" ".join(values), capture_output=True, text=True, check=False, timeout=5)
        found |= set(map(int, done.stdout.split()))
    assert found == wanted
    assert len(wanted) > 10
