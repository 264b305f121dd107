"""Generating again keeps the tests that are there: nothing of theirs changes unless somebody asks for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from bench.topup import remove_tests, top_up

import tightrope
from tightrope.cli import main
from tightrope.commands.generate.pipeline import UNCHECKED
from tightrope.report.model import UNCHANGED, UnitReport
from tightrope.suite.kept_tests import cut_test, read_block
from tightrope.suite.seal import SealState, seal_state_of

ROOT = Path(__file__).parents[2]
GRADE = """\
int grade(int points, int bonus)
{
    if (points < 0 || points > 100)
        return -1;
    if (points + bonus >= 50)
        return 1;
    return 0;
}
"""
OTHER_MARK = GRADE.replace(">= 50", ">= 40").replace("return 1", "return 2")
SHORT = """\
#include "grade.c"
void test_high(void) { if (grade(70, 0) != 1) __builtin_abort(); }
void test_below(void) { if (grade(-1, 0) != -1) __builtin_abort(); }
int main(void) { test_high(); test_below(); return 0; }
"""
FILE = Path("out/test_grade.c")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("grade.c").write_text(GRADE)
    return tmp_path


def generate(**words: object) -> UnitReport:
    return tightrope.generate("grade.c", **{"output": "out", "criterion": "branch", **words}).units[0]  # type: ignore[arg-type]


def covered(unit: UnitReport) -> set[str]:
    return {each.id for each in unit.objectives if each.verdict == "covered"}


def text_of(name: str, file: Path = FILE) -> str:
    found = cut_test(file.read_text(), name, f"static void test_{name}(void)")
    assert found is not None
    return found


def test_a_second_time_changes_nothing(folder):
    first = generate()
    before = FILE.read_bytes()
    again = generate()
    assert FILE.read_bytes() == before
    assert covered(again) == covered(first)
    assert all(test.is_kept for test in again.tests)
    assert again.statistics.runs <= first.statistics.runs


@pytest.mark.parametrize("subject", ["examples/triangle.c", "examples/settings.c", "tests/programs/callback_results.c"])
def test_half_of_a_suite_is_topped_up(subject, tmp_path):
    (row,) = top_up(str(ROOT / subject), tmp_path)
    assert row.are_kept
    assert row.has_same_coverage
    assert row.runs[1] < row.runs[0]
    assert {each.reason for each in row.before.crashes} <= {each.reason for each in row.after.crashes}
    assert row.after.changes == ()
    assert row.after.confirmation is not None
    assert row.after.confirmation.same == len(row.after.tests)


@pytest.mark.parametrize("name", ["unity", "cmocka", "check", "gtest", "json", "plain"])
def test_every_format_keeps_its_tests(name, folder):
    """What a stronger criterion adds, stands behind what was there."""
    first = generate(format=name, criterion="statement")
    files = {Path(file): Path(file).read_text() for file in first.written}
    second = generate(format=name, criterion="mcdc")
    assert len(second.tests) > len(first.tests)
    assert covered(second) == {each.id for each in second.objectives}
    for file, before in files.items():
        after = file.read_text()
        assert seal_state_of(file) is SealState.INTACT
        if file.suffix == ".json":
            assert json.loads(after)["cases"][: len(first.tests)] == json.loads(before)["cases"]
        elif file.suffix == ".c":
            start, end = (before.index(each) for each in _around_tests(first, before))
            assert before[start:end] in after
            assert read_block(after)[: len(first.tests)] == read_block(before)


def _around_tests(unit: UnitReport, text: str) -> tuple[str, str]:
    """What begins the first test, and the end of the last."""
    lines = text.splitlines()
    first, last = unit.tests[0].id, unit.tests[-1].id
    start = next(line for line in lines if f"{first}(" in line or f"test_{first})" in line)
    at = max(
        number
        for number, line in enumerate(lines)
        if line.endswith((f"{last}(void)", f"test_{last})")) or line.startswith(f"static void test_{last}(")
    )
    end = next(line for line in lines[at:] if "grade(" in line and "=" in line)
    return start, end


# -- behaviour that has changed


def test_a_changed_expectation_is_reported_and_not_rewritten(folder, capsys):
    generate(criterion="mcdc")
    rows, tests = (
        read_block(FILE.read_text()),
        {row["name"]: text_of(row["name"]) for row in read_block(FILE.read_text())},
    )
    Path("grade.c").write_text(OTHER_MARK)
    changed = generate(criterion="mcdc")
    ones = [row["name"] for row in rows if row["observed"]["result"] == 1]
    assert [(each.test, each.what, each.old, each.new) for each in changed.changes] == [
        (name, "result", "1", "2") for name in ones
    ]
    assert {name: text_of(name) for name in tests} == tests
    words = ["generate", "grade.c", "-c", "mcdc", "-o", "out"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert f"changed: {ones[0]} in test_grade.c: result was 1, is 2" in shown
    verb = "fail" if len(ones) > 1 else "fails"
    assert f"; {len(ones)} of them {verb}, see `changed`" in shown
    assert main([*words, "--fail-on-change"]) == 1
    assert "--fail-on-change: tests of grade expect something else" in capsys.readouterr().err


def test_a_changed_expectation_is_accepted_on_request(folder):
    generate()
    tests = {row["name"]: text_of(row["name"]) for row in read_block(FILE.read_text())}
    Path("grade.c").write_text(OTHER_MARK)
    accepted = generate(accept=True)
    changed = {each.test for each in accepted.changes if each.is_accepted}
    assert changed
    for name, text in tests.items():
        assert (text_of(name) == text) == (name not in changed)
    assert generate().changes == ()
    assert main(["generate", "grade.c", "-c", "branch", "-o", "out", "-q", "--fail-on-change"]) == 0


def test_tests_that_cannot_be_run_any_more_are_left_alone(folder):
    generate()
    before = FILE.read_bytes()
    Path("grade.c").write_text(GRADE.replace(", int bonus", "").replace(" + bonus", ""))
    unit = generate()
    assert FILE.read_bytes() == before
    assert {each.what for each in unit.changes} == {"its input"}
    assert unit.written == ("out/test_grade_2.c",)
    assert covered(unit) == {each.id for each in unit.objectives}
    accepted = generate(accept=True)
    assert all(each.is_accepted for each in accepted.changes)
    assert "bonus" not in FILE.read_text().split("static void")[1]


def test_tests_that_do_not_compile_any_more_are_left_alone(folder):
    generate()
    before = FILE.read_bytes()
    Path("grade.c").write_text(
        GRADE.replace("int grade", "void grade")
        .replace("return -1", "return")
        .replace("return 1", "return")
        .replace("return 0", "return")
    )
    unit = generate()
    assert FILE.read_bytes() == before
    assert {each.what for each in unit.changes} == {"its checks"}
    assert covered(unit) == {each.id for each in unit.objectives}


# -- files that somebody edited


def test_an_edited_file_is_kept_and_new_tests_go_to_another(folder, capsys):
    generate(criterion="statement")
    FILE.write_text(FILE.read_text().replace("EXPECT_INT(result, 1);", "EXPECT_INT(result, 1); /* as agreed */"))
    edited = FILE.read_bytes()
    unit = generate()
    assert FILE.read_bytes() == edited
    assert unit.written == ("out/test_grade_2.c",)
    assert covered(unit) == {each.id for each in unit.objectives}
    assert "out/test_grade.c was edited: it is kept as it is, and new tests go to another file" in unit.notes
    assert {test.suite for test in unit.tests if test.is_kept} == {"out/test_grade.c"}
    both = generate()
    assert all(test.is_kept for test in both.tests)
    assert main(["generate", "grade.c", "-o", "out", "--replace"]) == 2
    assert "out/test_grade.c was edited since Tightrope wrote it: it is left alone" in capsys.readouterr().err
    assert FILE.read_bytes() == edited


def test_replace_starts_anew(folder):
    first = generate()
    before = FILE.read_bytes()
    FILE.write_text(remove_tests(FILE.read_text(), [first.tests[0].id]))
    unit = generate(replace=True)
    assert FILE.read_bytes() == before
    assert not any(test.is_kept for test in unit.tests)


# -- tests of others


def test_tests_of_others_are_kept_and_what_they_cover_needs_no_test(folder):
    Path("hand.c").write_text(SHORT)
    alone = generate(output="alone")
    unit = generate(suite="hand.c")
    assert Path("hand.c").read_text() == SHORT
    assert covered(unit) == covered(alone)
    witnesses = {name for each in unit.objectives for name in each.tests}
    assert {"test_high", "test_below"} <= witnesses
    assert {test.id: test.suite for test in unit.tests if test.is_native} == {
        "test_high": "hand.c",
        "test_below": "hand.c",
    }
    written = [test for test in unit.tests if not test.is_kept]
    assert len(written) < len(alone.tests)
    measured = tightrope.measure("grade.c", criterion="branch", suite=["hand.c", "out"]).units[0]
    assert covered(measured) == covered(unit)


def test_tests_of_others_that_cover_all_leave_nothing_to_add(folder):
    generate(output="first")
    names = [row["name"] for row in read_block(Path("first/test_grade.c").read_text())]
    calls = "".join(f"    test_{name}();\n" for name in names)
    text = Path("first/test_grade.c").read_text().partition("static const struct")[0].partition("#define main")[2]
    Path("first/hand.c").write_text(f"#define main{text}\n#undef main\nint main(void)\n{{\n{calls}    return 0;\n}}\n")
    unit = generate(suite="first/hand.c")
    assert unit.written == ()
    assert covered(unit) == {each.id for each in unit.objectives}
    assert not Path("out/test_grade.c").exists()


def test_inputs_in_json_are_where_the_search_starts(folder):
    Path("inputs.json").write_text('[{"points": 70, "bonus": 5}, {"points": 101}]')
    unit = generate(suite="inputs.json")
    assert covered(unit) == {each.id for each in unit.objectives}
    kept = [test for test in unit.tests if test.is_kept]
    assert [(test.inputs["points"], test.suite) for test in kept] == [(70, "inputs.json"), (101, "inputs.json")]
    written = {row["inputs"]["points"] for row in read_block(FILE.read_text())}
    assert written.isdisjoint({70, 101})


def test_a_suite_in_json_says_what_was_expected(folder):
    generate(format="json", output="first")
    Path("grade.c").write_text(OTHER_MARK)
    unit = generate(suite="first")
    assert {(each.what, each.old, each.new, each.is_accepted) for each in unit.changes} == {("result", "1", "2", False)}


def test_a_suite_that_cannot_be_built_is_said(folder):
    Path("hand.c").write_text(f"#error nothing\n{SHORT}")
    unit = generate(suite="hand.c")
    assert any("hand.c was not measured" in each for each in unit.warnings)
    assert covered(unit) == {each.id for each in unit.objectives}


# -- beside other things


def test_the_store_does_not_answer_for_other_tests(folder, monkeypatch):
    monkeypatch.delenv("TIGHTROPE_CACHE", raising=False)
    first = generate(cache="store")
    assert UNCHANGED in generate(cache="store").notes
    whole = FILE.read_text()
    FILE.write_text(remove_tests(whole, [first.tests[0].id]))
    half = generate(cache="store")
    assert UNCHANGED not in half.notes
    assert covered(half) == covered(first)
    assert UNCHANGED in generate(cache="store").notes
    shutil.rmtree("out")
    anew = generate(cache="store")
    assert UNCHANGED in anew.notes
    assert FILE.read_text() == whole


@pytest.mark.skipif(shutil.which("gcc") is None, reason="builds the tests with gcc")
def test_a_file_that_was_topped_up_passes(folder):
    generate(criterion="statement")
    generate(criterion="mcdc")
    subprocess.run(
        ["gcc", "-std=gnu11", "-fwrapv", "-Wall", "-Werror", "-o", "tests", FILE.name], cwd="out", check=True
    )
    done = subprocess.run(["out/tests"], capture_output=True, text=True, check=True)
    assert "not ok" not in done.stdout


def test_tests_that_an_assumption_excludes_stay_and_do_not_count(folder):
    generate(criterion="mcdc")
    before = {row["name"]: text_of(row["name"]) for row in read_block(FILE.read_text())}
    excluded = [row["name"] for row in read_block(FILE.read_text()) if row["inputs"]["points"] < 0]
    unit = generate(criterion="mcdc", assume="points >= 0")
    assert excluded
    assert {name: text_of(name) for name in before} == before
    assert not {test.id for test in unit.tests} & set(excluded)
    assert "1 earlier test does not satisfy the assumptions: kept, but not counted" in unit.notes
    assert not any(name in excluded for each in unit.objectives for name in each.tests)
    assert unit.changes == ()


def test_several_functions_say_what_is_new_and_what_has_changed(folder, capsys):
    Path("level.c").write_text("int level(int a) { return a > 3 ? 1 : 0; }\n")
    words = ["generate", "grade.c", "level.c", "-o", "out", "-c", "branch"]
    assert main(words) == 0
    assert "new)" not in capsys.readouterr().out
    Path("level.c").write_text("int level(int a) { return a > 3 ? 7 : 0; }\n")
    assert main([*words, "--fail-on-change"]) == 1
    shown = capsys.readouterr().out
    assert "grade.c:grade  branch 6/6  4 tests (0 new)" in shown
    assert "in test_level.c: result was 1, is 7" in shown
    assert shown.count("--accept rewrites them") == 1


def test_tests_of_another_function_whose_file_has_the_same_name_are_no_earlier_tests(folder):
    Path("can.c").write_text("int rx_init(int x) { return x > 10 ? 1 : 0; }\n")
    Path("can_rx.c").write_text("int init(int x) { return x > 10 ? 5 : 7; }\n")
    for source in ("can.c", "can_rx.c"):
        tightrope.generate(source, output="out", criterion="branch", format="plain,json")
    again = tightrope.generate("can_rx.c", output="out", criterion="branch", format="plain,json").units[0]
    assert {test.suite for test in again.tests} == {"out/test_can_rx_init_2.c"}
    assert all(test.id.startswith("init") and test.is_kept for test in again.tests)
    assert again.changes == ()
    assert "rx_init(x)" in Path("out/test_can_rx_init.c").read_text()


def test_a_file_with_changed_tests_that_no_longer_compile_gets_no_new_ones(folder):
    Path("grade.c").write_text("int grade(int x, int *out) { *out = x > 3 ? 1 : 2; return 1; }\n")
    generate()
    before = FILE.read_bytes()
    Path("grade.c").write_text("void grade(int x, int *out) { *out = x == -7 ? 8 : x > 3 ? 5 : 6; }\n")
    unit = generate()
    assert FILE.read_bytes() == before
    assert unit.written == ("out/test_grade_2.c",)
    assert list(unit.builds) == ["test_grade_2"]
    (command,) = unit.builds["test_grade_2"]
    assert subprocess.run(command, shell=True, cwd="out", check=False).returncode == 0


def test_what_an_edited_file_includes_is_not_taken_from_the_store(folder, monkeypatch):
    monkeypatch.delenv("TIGHTROPE_CACHE")
    Path(".git").mkdir()
    generate()
    FILE.write_text(FILE.read_text() + '#include "more.h"\n')
    Path("out/more.h").write_text("\n")
    generate()
    again = generate()
    assert UNCHANGED not in again.notes  # its tests are built with a header of which nothing is known


def test_tests_of_others_may_have_inputs_that_assumptions_exclude(folder):
    Path("hand.c").write_text(SHORT)
    assert generate(suite="hand.c", assume="points >= 0").warnings == (UNCHECKED,)
    assert generate(suite="hand.c", output="other").warnings == ()


CALLS = """\
void out(const int *p);
int f(int a)
{
    int many[4] = {a, 2, 3, 4}, one = 7;
    out(many);
    return a + one;
}
"""


@pytest.mark.parametrize("name", ["plain", "unity"])
def test_where_new_tests_show_less_of_arguments_they_have_a_file_of_their_own(name, folder):
    """A pointer is shown with as many elements as it has in all calls of a file."""
    Path("f.c").write_text(CALLS)
    words = {"output": "out", "criterion": "function", "format": name}
    first = tightrope.generate("f.c", **words).units[0]  # type: ignore[arg-type]
    before = Path(first.written[0]).read_bytes()
    Path("f.c").write_text(CALLS.replace("out(many)", "if (a > 90)\n        out(&one);\n    else\n        out(many)"))
    words["criterion"] = "branch"
    second = tightrope.generate("f.c", **words).units[0]  # type: ignore[arg-type]
    assert Path(first.written[0]).read_bytes() == before
    assert second.changes == ()
    assert [Path(each).stem.startswith("test_f_2") for each in second.written] == [True]
    Path("f.c").write_text(CALLS.replace("{a, 2", "{a, 5"))
    third = tightrope.generate("f.c", **{**words, "criterion": "function"}).units[0]  # type: ignore[arg-type]
    changed = [each for each in third.changes if each.test == first.tests[0].id]
    assert [(each.what, each.old[:8], each.new[:8]) for each in changed] == [("call 1", "out({2, ", "out({2, ")]


def test_tests_of_a_sequence_are_kept(folder):
    Path("count.c").write_text(
        "static int count;\nint step(int by) { if (by > 0) count++; if (count > 2) return 1; return 0; }\n"
    )
    words = {"output": "out", "sequence": "step*4", "criterion": "branch"}
    first = tightrope.generate("count.c", **words).units[0]  # type: ignore[arg-type]
    file = Path(first.written[0])
    whole = file.read_text()
    file.write_text(remove_tests(whole, [first.tests[0].id]))
    kept = {test.id: text_of(test.id, file) for test in first.tests[1:]}
    again = tightrope.generate("count.c", **words).units[0]  # type: ignore[arg-type]
    assert covered(again) == covered(first)
    assert {name: text_of(name, file) for name in kept} == kept
    Path("count.c").write_text(Path("count.c").read_text().replace("return 1", "return 5"))
    changed = tightrope.generate("count.c", **words).units[0]  # type: ignore[arg-type]
    assert {(each.old, each.new) for each in changed.changes} == {("1", "5")}


def test_run_time_errors_are_reported_again(folder):
    Path("grade.c").write_text(GRADE.replace("return 0", "return points / (bonus + 7) > 100"))
    first, again = generate(), generate()
    assert {each.reason for each in first.crashes} == {"division by zero"}
    assert all(test.is_kept for test in again.tests)
    assert {(each.reason, each.line) for each in again.crashes} == {(each.reason, each.line) for each in first.crashes}
    Path("grade.c").write_text(GRADE)
    assert generate().crashes == ()


def test_a_test_of_others_that_fails_is_said(folder):
    Path("hand.c").write_text(SHORT.replace("!= 1)", "!= 3)"))
    unit = generate(suite="hand.c")
    assert any("test_high of hand.c crashed" in each and "until then counts" in each for each in unit.warnings)
    assert {test.id: test.outcome for test in unit.tests if test.is_native}["test_high"] == "crashed"


CMOCKA = """\
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "grade.c"
static void test_high(void **state) { (void)state; assert_int_equal(grade(70, 0), 1); }
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_high)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
"""
CHECK = """\
#include <check.h>
#include "grade.c"
START_TEST(test_high) { ck_assert_int_eq(grade(70, 0), 1); }
END_TEST
int main(void)
{
    Suite *suite = suite_create("grade");
    TCase *tests = tcase_create("grade");
    SRunner *runner;
    tcase_add_test(tests, test_high);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    return srunner_ntests_failed(runner);
}
"""


@pytest.mark.parametrize(
    ("header", "text", "libraries"),
    [("cmocka.h", CMOCKA, "-lcmocka"), ("check.h", CHECK, "-lcheck -lsubunit -lm -lrt -pthread")],
)
def test_tests_of_a_framework_are_kept(header, text, libraries, folder):
    if not Path("/usr/include", header).exists():
        pytest.skip(f"{header} is not installed")
    Path("hand.c").write_text(text)
    words = {"output": "out", "criterion": "branch", "suite": "hand.c", "flags": libraries.split()}
    unit = tightrope.generate("grade.c", **words).units[0]  # type: ignore[arg-type]
    assert unit.warnings == ()
    assert [Path(test.suite).name for test in unit.tests if test.is_native] == ["hand.c"]
    assert covered(unit) == {each.id for each in unit.objectives}
