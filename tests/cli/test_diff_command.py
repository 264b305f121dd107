"""`tightrope diff` from the command to the report, on real C: whatever was done to the program, the answer is clear.

Changes of types are made in one direction; TIGHTROPE_FULL=1: also undone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli
from tightrope.engines import turns
from tightrope.equality import hits_review
from tightrope.equality.same_hits import SameHits
from tightrope.search.review import Review

Report = dict[str, Any]
Diff = Callable[..., Report]

IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


def run(*words: str, code: int = 0) -> Report:
    """The JSON of a command that must end with this code."""
    assert cli.main(["diff", "--json", "report.json", "-q", *words]) == code
    return json.loads(Path("report.json").read_text())


@pytest.fixture
def diff(here: Path) -> Diff:
    """Two texts, compared as old.c and new.c."""

    def compare(old: str, new: str, *words: str, code: int = 0) -> Report:
        Path("old.c").write_text(old)
        Path("new.c").write_text(new)
        return run("old.c", "new.c", *words, code=code)

    return compare


def states(report: Report) -> dict[str, str]:
    return {each["function"]: each["state"] for each in report["functions"]}


def the(report: Report, function: str) -> dict[str, Any]:
    (found,) = (each for each in report["functions"] if each["function"] == function)
    return found


def verdict(report: Report, function: str) -> str:
    return the(report, function)["equality"]["verdict"]


def both_ways(old: str, new: str) -> list[tuple[str, str]]:
    return [(old, new), (new, old)] if IS_FULL else [(old, new)]


GRADE = """\
int grade(int a, int b)
{
    if (a > 3 && b < 7)
        return 1;
    return 0;
}
"""
OTHER = "int other(int a) { return a < 0 ? -a : a; }\n"


# --- differences -------------------------------------------------------------------------------


def test_a_difference_is_shown_first_with_an_input_and_a_test(diff: Diff, here: Path, capsys) -> None:
    report = diff(GRADE, GRADE.replace("a > 3", "a > 5"))
    found = the(report, "grade")
    assert (found["state"], verdict(report, "grade")) == ("compared", "different")
    shown = found["differences"][0]
    assert 3 < shown["inputs"]["a"] <= 5 and shown["inputs"]["b"] < 7
    assert shown["observations"] == [{"what": "result", "old": 1, "new": 0}]
    assert (shown["passes_on"], shown["fails_on"]) == ("new", "old")
    assert cli.main(["diff", "old.c", "new.c"]) == 0
    printed = capsys.readouterr().out
    assert printed.index("a = ") < printed.index("impacted")
    assert "tightrope-" not in printed.replace("tightrope-tests", "")


def test_the_test_of_a_difference_passes_with_the_new_version_only(diff: Diff, here: Path) -> None:
    report = diff(GRADE, GRADE.replace("a > 3", "a > 5"))
    test = the(report, "grade")["differences"][0]["test"]
    files = [file for file in Path("tightrope-tests").glob("*.c") if test in file.read_text()]
    assert len(files) == 1
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no compiler of the system")
    for version, is_good in (("new.c", True), ("old.c", False)):
        unit = os.path.abspath(version)
        build = [compiler, "-w", f'-DTIGHTROPE_UNIT="{unit}"', str(files[0]), "-o", "program", "-lm"]
        subprocess.run(build, check=True)
        done = subprocess.run(["./program"], check=False, capture_output=True, text=True)
        assert (done.returncode == 0) == is_good, done.stdout


def test_a_difference_is_a_failure_only_when_asked(diff: Diff) -> None:
    diff(GRADE, GRADE.replace("a > 3", "a > 5"), "--fail-on-difference", code=1)
    diff(GRADE, GRADE.replace("a > 3", "3 < a"), "--fail-on-difference", code=0)


def test_only_what_is_impacted_gets_tests(diff: Diff) -> None:
    two = "int two(int a, int b)\n{\n    int r = 0;\n    if (a > 3)\n        r = 1;\n    if (b > 4)\n        r += 2;\n    return r;\n}\n"
    found = the(diff(two, two.replace("b > 4", "b > 5"), "-c", "branch"), "two")
    assert {objective["line"] for objective in found["unit"]["objectives"]} == {6}
    assert found["objectives"] == 4
    assert {impact["id"] for impact in found["impacts"]} == {each["id"] for each in found["unit"]["objectives"]}
    assert all(objective["verdict"] == "covered" for objective in found["unit"]["objectives"])


EQUAL = [
    ("a > 3", "a >= 4", ""),
    ("return 1", "return 3 - 2", ""),
    ("a > 3 && b < 7", "b < 7 && a > 3", "conditions in another order"),
]


@pytest.mark.parametrize(("before", "after", "why"), EQUAL)
def test_a_change_without_a_difference_may_be_proved_to_have_none(before, after, why, diff: Diff) -> None:
    found = the(diff(GRADE, GRADE.replace(before, after), "--prove-equal"), "grade")
    assert found["state"] == "unchanged" or found["equality"]["verdict"] == "equal", found["equality"]
    assert found["differences"] == []


WAYS = {  # kind of change: old, new, an input that tells them apart
    "called function": ("static int h(int a) { return a + 1; }\nint f(int a) { return h(a) > 3; }\n", "a + 1", "a + 2"),
    "macro": ("#define LIMIT 3\nint f(int a) { return a > LIMIT; }\n", "LIMIT 3", "LIMIT 4"),
    "table": ("static const int t[] = {1, 2, 3};\nint f(unsigned a) { return t[a % 3]; }\n", "2, 3", "2, 4"),
    "type of a local": ("int f(int a) { int b = a; return b > 300; }\n", "int b", "unsigned char b"),
    "enum": ("enum e { A, B, C };\nint f(int a) { return a == C; }\n", "A, B, C", "A, C, B"),
    "type of a member": ("struct s { int x; };\nint f(int a) { struct s v = {a}; return v.x; }\n", "int x", "short x"),
    "written memory": ("void f(int *p, int a) { *p = a; }\n", "= a", "= a + 1"),
    "calls": ("void emit(int);\nvoid f(int a) { if (a) emit(a); }\n", "if (a) ", ""),
    "crash": ("int f(int a, int b) { return b ? a / b : 0; }\n", "b ? a / b : 0", "a / b"),
    "dropped statement": ("int f(int a) { if (a > 3) a = 3; return a; }\n", "if (a > 3) a = 3; ", ""),
}


@pytest.mark.parametrize("way", WAYS)
def test_whatever_changed_is_told_apart(way: str, diff: Diff) -> None:
    old, before, after = WAYS[way]
    assert before in old
    report = diff(old, old.replace(before, after), "-f", "f")
    assert verdict(report, "f") == "different", the(report, "f")
    assert the(report, "f")["changes"]


def test_another_initial_value_is_never_called_equal(diff: Diff) -> None:
    """Tests set the variable, so that no input need tell the versions apart; programs that leave it alone do."""
    text = "static int limit = 3;\nint f(int a) { return a > limit; }\n"
    found = the(diff(text, text.replace("= 3", "= 4"), "--prove-equal"), "f")
    assert found["equality"]["verdict"] == "different" or "`limit`" in found["equality"]["reason"]
    assert found["equality"]["verdict"] != "equal"
    assert [change["kind"] for change in found["changes"]] == ["initialiser"]


OF_ONE_VERSION = {
    "variable of another type": (
        "int limit = 3;\nint f(int a) { return a > limit; }\n",
        "struct { int x; int y; } limit = {3, 4};\nint f(int a) { return a > limit.y; }\n",
    ),
    "union with another member": (
        "union u { int i; float g; };\nint f(union u *p) { return p->i > 3; }\n",
        "union u { int i; float g; char c[8]; };\nint f(union u *p) { return p->i > 4; }\n",
    ),
    "new global": (
        "int f(int a) { return a > 3; }\n",
        "int extra;\nint f(int a) { return a + extra > 3; }\n",
    ),
}


@pytest.mark.parametrize("way", OF_ONE_VERSION)
def test_an_input_that_one_version_has_tells_nothing_apart(way: str, diff: Diff) -> None:
    """Whatever is called a difference was seen in both builds."""
    found = the(diff(*OF_ONE_VERSION[way], "-f", "f"), "f")
    assert all((each["passes_on"], each["fails_on"]) == ("new", "old") for each in found["differences"]), found
    if way == "new global":
        assert not found["differences"]


# --- nothing changed ---------------------------------------------------------------------------

SAME = [
    ("", ""),  # the same text
    ("int grade(int a, int b)\n{", "/* better */\n\nint grade(int x, int b) // x\n{\n  "),
    ("    if (a > 3 && b < 7)\n", "  if ((a > 3)\n      && (b < 7))\n"),
    ("int grade", OTHER + "int grade"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_layout_and_names_are_no_change(before, after, diff: Diff) -> None:
    new = GRADE.replace(before, after, 1) if before else GRADE
    new = new.replace("(a > 3", "(x > 3") if "int x," in new else new
    report = diff(GRADE + OTHER, new if "other" in new else new + OTHER)
    assert states(report) == {} or set(states(report).values()) == {"unchanged"}
    assert not list(Path("tightrope-tests").glob("*.c"))


def test_nothing_changed_is_said(diff: Diff, capsys) -> None:
    diff(GRADE, GRADE.replace("\n", "\n\n"))
    assert cli.main(["diff", "old.c", "new.c"]) == 0
    assert re.search(r"unchanged|nothing changed|no change", capsys.readouterr().out, re.IGNORECASE)


# --- functions and types come and go -----------------------------------------------------------


def test_removed_and_added_functions(diff: Diff, capsys) -> None:
    report = diff(GRADE + OTHER, GRADE + OTHER.replace("other", "fresh"))
    assert (states(report)["other"], states(report)["fresh"]) == ("removed", "added")
    assert all(the(report, name)["sentence"] for name in ("other", "fresh"))
    assert states(report).get("grade", "unchanged") == "unchanged"
    assert cli.main(["diff", "old.c", "new.c"]) == 0
    printed = capsys.readouterr().out
    assert "other   is gone" in printed and "is new" in printed


@pytest.mark.parametrize("name", ["other", "fresh"])
def test_a_function_that_one_version_has_may_be_asked_for(name: str, diff: Diff) -> None:
    report = diff(GRADE + OTHER, GRADE + OTHER.replace("other", "fresh"), "-f", name)
    assert states(report) == {name: "removed" if name == "other" else "added"}


def test_a_function_that_no_version_has(diff: Diff, capsys) -> None:
    Path("old.c").write_text(GRADE)
    Path("new.c").write_text(GRADE)
    assert cli.main(["diff", "old.c", "new.c", "-f", "grad"]) == 5
    said = capsys.readouterr().err
    assert "no function `grad` is defined in" in said and "did you mean grade?" in said


SIGNATURES = {
    "parameter added": "int f(int a, int c) { return a > 3 && c; }\n",
    "parameter removed": "int f(void) { return 1; }\n",
    "wider parameter": "int f(long a) { return a > 3; }\n",
    "pointer in place of a number": "int f(const int *a) { return *a > 3; }\n",
    "other result": "double f(int a) { return a > 3; }\n",
    "no result": "void f(int a) { (void)a; }\n",
    "parameters in another order": "int f(char *s, int a) { return a > 3 && s; }\n",
}


@pytest.mark.parametrize("way", SIGNATURES)
def test_a_changed_signature_is_an_answer(way: str, diff: Diff) -> None:
    for old, new in both_ways("int f(int a) { return a > 3; }\n", SIGNATURES[way]):
        found = the(diff(old, new, "-f", "f"), "f")
        assert found["state"] in ("signature", "compared", "refused"), found
        assert found["sentence"]
        if found["state"] != "refused":
            assert any(change["kind"] in ("signature", "parameter") for change in found["changes"]), found["changes"]


@pytest.mark.parametrize("which", ["old", "new"])
def test_a_function_that_cannot_be_tested_in_one_version(which: str, diff: Diff, capsys) -> None:
    """Alone it is an error, among others a remark."""
    texts = {"old": "int f(int a) { return a > 3; }\n", "new": "int f(int a) { return a > 4; }\n"}
    texts[which] = "int f(_Complex double a) { return __real__ a > 3; }\n"
    Path("old.c").write_text(texts["old"])
    Path("new.c").write_text(texts["new"])
    assert cli.main(["diff", "old.c", "new.c", "-f", "f"]) == 2
    assert re.search(rf"error: .*the {which} version: .*\[parameter-type\]", capsys.readouterr().err)
    report = diff(texts["old"] + GRADE, texts["new"] + GRADE.replace("a > 3", "a > 5"))
    assert states(report) == {"f": "refused", "grade": "compared"}


USES = "int f(struct s *p) { return p->x > 3 ? p->y : 0; }\n"
STRUCTS = {
    "member added": "struct s { int x; int y; int z; };\n" + USES.replace("p->y", "p->y + p->z"),
    "member added in front": "struct s { int z; int x; int y; };\n" + USES,
    "members in another order": "struct s { int y; int x; };\n" + USES,
    "other type": "struct s { int x; char y; };\n" + USES,
    "array": "struct s { int x; int y[2]; };\n" + USES.replace("p->y", "p->y[1]"),
    "union": "struct s { int x; union { int y; float w; }; };\n" + USES,
    "bit-fields": "struct s { int x : 5; int y : 6; };\n" + USES,
    "pointer inside": "struct s { int x; int y; struct s *next; };\n" + USES.replace("p->y", "p->next ? p->next->y : 1"),
}  # fmt: skip


@pytest.mark.parametrize("way", STRUCTS)
def test_a_changed_struct_is_an_answer(way: str, diff: Diff) -> None:
    old = "struct s { int x; int y; };\n" + USES
    for first, second in both_ways(old, STRUCTS[way]):
        found = the(diff(first, second, "-f", "f"), "f")
        if way == "union" and found["state"] == "unchanged":  # the code is the same
            continue
        assert found["state"] == "compared", found
        assert any(change["kind"] == "type" and change["name"] for change in found["changes"]), found["changes"]
        assert found["equality"]["verdict"] in ("different", "equal", "alike")


def test_members_in_another_order_behave_alike(diff: Diff) -> None:
    """Inputs belong together by their names, not by where they lie."""
    found = the(diff("struct s { int x; int y; };\n" + USES, STRUCTS["members in another order"], "-f", "f"), "f")
    assert found["differences"] == []


def test_a_function_that_becomes_static(diff: Diff) -> None:
    report = diff(GRADE, "static " + GRADE + "int user(int a) { return grade(a, a); }\n", "-f", "grade")
    assert states(report)["grade"] in ("unchanged", "compared")
    assert the(report, "grade")["differences"] == []


def test_a_file_that_was_emptied(diff: Diff) -> None:
    assert states(diff(GRADE, "")) == {"grade": "removed"}
    assert states(diff("\n", GRADE)) == {"grade": "added"}


# --- code that does not compile ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "which"), [("int;x", GRADE, "old"), (GRADE, "int f(", "new"), ("int f(", "int f(", "old")]
)
def test_code_that_does_not_compile(old: str, new: str, which: str, here: Path, capsys) -> None:
    Path("old.c").write_text(old.replace("int;x", "int grade(int a) { return b; }\n"))
    Path("new.c").write_text(new)
    assert cli.main(["diff", "old.c", "new.c"]) == 4
    said = capsys.readouterr()
    assert said.out == ""
    assert re.match(rf"tightrope: error: the {which} version: .*{which}\.c does not compile", said.err)
    assert re.search(rf"{which}\.c:1:\d+: error: ", said.err)


# --- folders and revisions ---------------------------------------------------------------------


def test_a_renamed_file_is_compared_with_what_it_was(here: Path) -> None:
    for name, text in {"old/lib/a.c": GRADE, "new/src/b.c": GRADE.replace("a > 3", "a > 5")}.items():
        Path(name).parent.mkdir(parents=True)
        Path(name).write_text(text)
    report = run("old", "new")
    assert (report["old"], report["new"]) == ("old", "new")
    assert states(report) == {"grade": "compared"}
    assert verdict(report, "grade") == "different"
    assert the(report, "grade")["changes"][0]["old_file"] == "old/lib/a.c"
    assert the(report, "grade")["changes"][0]["file"] == "new/src/b.c"


def test_folders_with_files_that_come_and_go(here: Path) -> None:
    for name, text in {
        "old/gone.c": OTHER,
        "old/x.c": GRADE,
        "new/x.c": GRADE,
        "new/y.c": "int y(int a) { return a; }\n",
    }.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    assert states(run("old", "new")) == {"y": "added", "other": "removed"}


def git(*words: str) -> None:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = [word for key in ("user.name", "user.email") for word in ("-c", f"{key}=me")]
    subprocess.run(["git", *who, *words], env={**os.environ, **own}, check=True, capture_output=True)


@pytest.fixture
def repository(here: Path) -> Path:
    """Two commits: src/x.c with a header, then another limit; in the working tree one more."""
    git("init", "-q")
    (here / "src").mkdir()
    for limit in (3, 5):
        Path("src/limit.h").write_text(f"#define LIMIT {limit}\n")
        Path("src/x.c").write_text('#include "limit.h"\n' + GRADE.replace("3", "LIMIT"))
        git("add", "-A")
        git("commit", "-q", "-m", str(limit))
    Path("src/limit.h").write_text("#define LIMIT 7\n")
    return here


@needs_git
def test_a_revision_is_compared_with_the_working_tree(repository: Path) -> None:
    report = run("HEAD~1", "--", "src/x.c")
    assert (report["old"], report["new"]) == ("HEAD~1", "the working tree")
    (shown,) = the(report, "grade")["differences"]
    assert 3 < shown["inputs"]["a"] <= 7
    (change,) = the(report, "grade")["changes"]
    assert (change["old_file"], change["file"], change["old_line"]) == ("HEAD~1:src/x.c", "src/x.c", 4)
    assert not re.search(r"tightrope-(?!tests)\w", json.dumps(report))


@needs_git
def test_tests_of_a_revision_that_is_not_here_include_the_users_file(repository: Path) -> None:
    report = run("HEAD~1", "HEAD")
    assert not re.search(r"tightrope-(?!tests)\w", json.dumps(report))
    assert 3 < the(report, "grade")["differences"][0]["inputs"]["a"] <= 5
    for file in Path("tightrope-tests").iterdir():
        assert not re.search(r"tightrope-(?!tests)\w", file.read_text()), file
        if file.suffix == ".c":
            assert "-fmacro-prefix-map" not in file.read_text()
            assert '"../src/x.c"' in file.read_text()


@needs_git
def test_a_revision_in_which_nothing_changed(repository: Path, capsys) -> None:
    git("commit", "-q", "-a", "-m", "all")
    report = run("HEAD")
    assert report["functions"] == []
    assert cli.main(["diff", "HEAD"]) == 0
    assert "HEAD" in capsys.readouterr().out


@needs_git
def test_a_revision_that_does_not_compile(repository: Path, capsys) -> None:
    Path("src/limit.h").unlink()
    git("commit", "-q", "-a", "-m", "broken")
    Path("src/limit.h").write_text("#define LIMIT 3\n")
    Path("src/x.c").write_text("int grade(int a, int b) { return a + b; }\n")
    git("stash", "-q", "-u")
    assert cli.main(["diff", "HEAD~1", "--", "src/x.c"]) == 4
    said = capsys.readouterr().err
    assert "the new version: src/x.c does not compile" in said
    assert cli.main(["diff", "HEAD", "HEAD~1", "--", "src/x.c"]) == 4
    said = capsys.readouterr().err
    assert "the old version: HEAD:src/x.c does not compile" in said
    assert "'limit.h' file not found" in said


# --- the command -------------------------------------------------------------------------------


def test_json_on_standard_output_is_alone_there(here: Path, capsys) -> None:
    Path("old.c").write_text(GRADE)
    Path("new.c").write_text(GRADE.replace("a > 3", "a > 5"))
    assert cli.main(["diff", "old.c", "new.c", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["old"], report["new"]) == ("old.c", "new.c")


def test_the_same_seed_gives_the_same_bytes(diff: Diff) -> None:
    def written() -> tuple[Report, dict[str, str]]:
        shutil.rmtree("tightrope-tests", ignore_errors=True)
        report = diff(GRADE, GRADE.replace("a > 3", "a > 5"))
        text = re.sub(r'"\w*seconds": [^,}]+', "", json.dumps(report))
        return text, {file.name: file.read_text() for file in sorted(Path("tightrope-tests").iterdir())}

    assert written() == written()


def test_a_listing_shows_the_new_source(here: Path, capsys) -> None:
    Path("old.c").write_text(GRADE)
    Path("new.c").write_text(GRADE.replace("a > 3", "a > 5"))
    assert cli.main(["diff", "old.c", "new.c", "--listing", "-q"]) == 0
    assert "if (a > 5 && b < 7)" in capsys.readouterr().out


def test_mutants_are_not_for_diff(tmp_path, capsys):
    for name in ("old.c", "new.c"):
        (tmp_path / name).write_text("int f(int a) { return a; }\n")
    assert cli.main(["diff", str(tmp_path / "old.c"), str(tmp_path / "new.c"), "-c", "mutation"]) == 2
    assert "[diff-mutation]" in capsys.readouterr().err


@needs_git
def test_reports_for_other_programs_name_the_files_of_the_user(here: Path) -> None:
    """Versions of revisions are unpacked elsewhere."""
    commands = (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old"])
    Path("f.c").write_text("int f(int a)\n{\n    if (a > 3)\n        return 1;\n    return 0;\n}\n")
    for words in commands:
        subprocess.run(["git", *words], check=True)
    Path("f.c").write_text("int f(int a)\n{\n    if (a > 4)\n        return 1;\n    return 0;\n}\n")
    reports = ["--report", "lcov=f.info", "--report", "junit=f.xml"]
    run(*reports, "-c", "branch", "HEAD", "--", "f.c")
    lines = Path("f.info").read_text().splitlines()
    assert "SF:f.c" in lines and "BRF:2" in lines and "BRH:2" in lines
    assert {"DA:3,2", "DA:4,1", "DA:5,1"} <= set(lines)
    assert 'classname="f.c:f"' in Path("f.xml").read_text()


# --- what a formula takes back -----------------------------------------------------------------

DOUBLED = (
    "int f(int a, int b) { int r = a + a; if (r > 3) return 1; if (a > 2 && a < 1) return 5; return b > 2 ? 3 : 4; }"
)


def fail(*_: object) -> None:
    raise AssertionError("no formula is wanted")


def test_no_formula_is_made_where_the_search_soon_decides_everything(
    diff: Diff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SameHits, "prove", fail)
    found = the(diff(DOUBLED, DOUBLED.replace("a + a", "a * 2"), "-c", "branch"), "f")
    assert found["impacts"] and found["alike"] == []
    assert {each["verdict"] for each in found["unit"]["objectives"]} <= {"covered", "infeasible"}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formula comes after the first run."""
    monkeypatch.setattr(hits_review, "Review", lambda seconds, worked, ask: Review(0.0, lambda: 0.0, ask))
    monkeypatch.setattr(turns, "SHARE_OF_FIRST", 1e-9)  # the encoding would be faster


@pytest.mark.usefixtures("at_once")
def test_what_a_formula_takes_back_is_not_impacted_unless_it_is_covered(diff: Diff) -> None:
    found = the(diff(DOUBLED, DOUBLED.replace("a + a", "a * 2"), "-c", "branch"), "f")
    impacted, wanted = ({each["id"] for each in rows} for rows in (found["impacts"], found["unit"]["objectives"]))
    assert found["alike"] and impacted == wanted and not impacted & set(found["alike"])
    assert {each["verdict"] for each in found["unit"]["objectives"]} == {"covered"}  # by the first run
    assert found["sentence"] == f"{len(impacted)} of {found['objectives']} objectives may behave differently"


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("words", [("--engine", "search"), ("--deciders",)])
def test_a_formula_takes_nothing_back_that_is_wanted(words: tuple[str, ...], diff: Diff) -> None:
    """By `--engine search`, or by `--deciders`: then a decider is covered, although the same inputs hit it."""
    old = "int f(int a, int b) { int r = a + a; if (r > 3) return 1; if (b > 2) return b * 2; return 4; }"
    new = old.replace("a + a", "a * 2").replace("b * 2", "b * 3")
    taken = set(the(diff(old, new, "-c", "branch"), "f")["alike"])
    found = the(diff(old, new, "-c", "branch", *words), "f")
    assert taken and not taken & set(found["alike"])
    assert taken <= {each["id"] for each in found["impacts"]}
