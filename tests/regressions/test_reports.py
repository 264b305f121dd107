"""Statements in reports that were once wrong."""

from __future__ import annotations

import json

import pytest

from tightrope import cli
from tightrope.commands.generate.confirmed_verdicts import recount
from tightrope.source.toolchain import find_gcc


def report(folder, text, *options):
    source = folder / "unit.c"
    source.write_text(text, encoding="utf-8")
    words = ["generate", str(source), "--quiet", "-o", str(folder / "tests"), "--json", str(folder / "report.json")]
    assert cli.main([*words, *options]) == 0
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))["units"]


def test_a_crash_in_a_model_is_told_of_the_users_file(tmp_path):
    text = "#include <string.h>\nint f(const char *s)\n{\n    if (strlen(s) > 2)\n        return 1;\n    return 0;\n}\n"
    (unit,) = report(tmp_path, text, "--input", "s=array 2")
    (crash,) = unit["crashes"]
    assert crash["file"] == str(tmp_path / "unit.c")
    assert (crash["reason"], crash["line"]) == ("read out of bounds in the call of `strlen`", 4)


def test_places_are_named_as_the_user_names_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "unit.c").write_text("int f(int a) { if (a > 3) return 1; return 0; }\n", encoding="utf-8")
    assert cli.main(["generate", "unit.c", "-q", "--json", "report.json"]) == 0
    (unit,) = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["units"]
    assert {each["file"] for each in unit["objectives"]} == {"unit.c"}


def test_a_function_that_is_refused_among_others_says_why(tmp_path, capsys):
    text = "int v(_Complex double n) { return 0; }\nint f(int a) { if (a > 3) return 1; return 0; }\n"
    first, second = report(tmp_path, text)
    assert first["stop_reason"].startswith("not tested: ")
    assert second["objectives"]


def test_pins_do_not_make_a_path_approximate(tmp_path):
    text = "int f(unsigned char n) { if ((int)((long double)n * 2) == 6) return 1; return 0; }\n"
    (unit,) = report(tmp_path, text)
    assert {each["kind"] for each in unit["concretisations"]} == {"pinned"}
    assert unit["statistics"]["concretisations"] == 0


UNINITIALISED = """\
static void dirty(int k) { volatile int cells[64]; for (int i = 0; i < 64; i++) cells[i] = k + 7; }
int f(int k)
{
    dirty(k);
    int cells[8], x;
    if (k > 3) cells[2] = k, x = 1;
    if (cells[2] == 0) return 1;
    if (x == 1) return 2;
    return 3;
}
"""


def test_nothing_is_infeasible_when_a_run_behaves_otherwise_without_probes(tmp_path):
    (unit,) = (unit for unit in report(tmp_path, UNINITIALISED) if unit["function"] == "f")
    verdicts = {each["reason"] for each in unit["objectives"] if each["verdict"] != "covered"}
    assert verdicts == {"only_crashing", "uninitialised"}
    assert not any(each["verdict"] == "infeasible" for each in unit["objectives"])


def test_a_variable_without_a_value_on_one_way_has_not_that_of_the_other(tmp_path):
    """SROA would make 1 of it: a condition that is the same in every run, and a false proof."""
    text = "int f(int k) { int x; if (k > 3) x = 1; if (x == 1) return 2; return 3; }\n"
    (unit,) = report(tmp_path, text, "--no-confirm")
    assert {each["verdict"] for each in unit["objectives"]} == {"covered", "unknown"}
    assert any("nothing has written `x`" in each["reason"] for each in unit["crashes"])


@pytest.mark.skipif(find_gcc() is None, reason="needs gcc and gcov")
@pytest.mark.parametrize(("value", "also"), [(0, set()), (1, {("covered", None)})])
def test_what_gcc_does_not_see_taken_is_not_called_covered(tmp_path, value, also):
    """What the tests do here depends on the compiler, as it does where C leaves something undefined. If a test fails
    because of that, it goes, and what the others do at this line is covered."""
    text = """\
#ifdef __clang__
enum { RARE = 5 };
#else
enum { RARE = 60 };
#endif
int f(unsigned n, int k)
{
    if (k > 3)
        return 2;
    if (n % 7 == RARE)
        return VALUE;
    return 0;
}
""".replace("VALUE", str(value))
    (unit,) = report(tmp_path, text)
    by_line = {line: {(o["verdict"], o["reason"]) for o in unit["objectives"] if o["line"] == line} for line in (8, 10)}
    assert by_line == {8: {("covered", None)}, 10: {("unknown", "judged"), *also}}
    served = {each for test in unit["tests"] for each in test["covers"]}
    assert served == {o["id"] for o in unit["objectives"] if o["verdict"] == "covered"}


LIMITS = "int f(int n) { if (n < 5) return 1; return n == n + 1; }\n"


def test_a_label_that_the_written_tests_do_not_make_true_is_not_covered(tmp_path, monkeypatch):
    """`b - a > 3` with pointers to two objects is true in the worker and may be false in the program of the tests. Here
    the second count of the tests is told to find one label less."""
    (before,) = report(tmp_path, LIMITS, "-c", "limit,branch")
    lost, *others = [each["id"] for each in before["objectives"] if each["verdict"] == "covered"]
    monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.recount", lambda *_: frozenset(others))
    (after,) = report(tmp_path, LIMITS, "-c", "limit,branch")
    assert {each["verdict"] for each in before["objectives"]} == {"covered", "infeasible"}
    verdicts = {each["id"]: (each["verdict"], each["reason"]) for each in after["objectives"]}
    assert verdicts[lost] == ("unknown", "not_confirmed")
    assert {verdicts[each] for each in others} == {("covered", None)}
    assert ("unknown", "unfaithful") in verdicts.values()
    assert all(lost not in test["covers"] for test in after["tests"])


def test_the_second_count_finds_what_was_covered(tmp_path, monkeypatch):
    counts = []

    def count_and_tell(*given):
        counts.append(recount(*given))
        return counts[-1]

    monkeypatch.setattr("tightrope.commands.generate.confirmed_verdicts.recount", count_and_tell)
    (unit,) = report(tmp_path, LIMITS, "-c", "limit,wm,mcdc,def-use,branch")
    (counted,) = counts
    assert counted == {each["id"] for each in unit["objectives"] if each["verdict"] == "covered"}
