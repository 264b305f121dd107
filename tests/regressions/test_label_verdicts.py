"""Verdicts on labels, conditions and blocks that were once wrong."""

from __future__ import annotations

import json

import pytest

from tightrope import cli

HEAD = "#include <tightrope.h>\nextern void __VERIFIER_assume(int);\ntypedef unsigned char u8;\n"


def verdicts(folder, text, criterion, *options):
    source, found = folder / "unit.c", folder / "report.json"
    source.write_text(HEAD + text + "\n", encoding="utf-8")
    words = ["generate", str(source), "-q", "-o", str(folder / "tests"), "--json", str(found), "-c", criterion]
    assert cli.main([*words, *options]) == 0
    (unit,) = json.loads(found.read_text(encoding="utf-8"))["units"]
    return [each["verdict"] for each in unit["objectives"]]


@pytest.mark.parametrize(
    ("text", "criterion"),
    [
        ("int f(u8 a, u8 b) { TIGHTROPE_LABEL(a == b); __VERIFIER_assume(b == 1); return 0; }", "label"),
        ("int f(u8 a, u8 b) { TIGHTROPE_LABEL(a == b + 100); __VERIFIER_assume(b == a / 2); return 0; }", "label"),
        ("int f(u8 a, u8 b) { TIGHTROPE_LABEL(a == 17); __VERIFIER_assume(b < 60 && a > 3); return 0; }", "label"),
        ("int f(u8 a, u8 b) { int x = (a > 3) ^ (b > 3); __VERIFIER_assume(a + b == 9); return x; }", "condition"),
    ],
)
def test_what_comes_before_an_assumption_is_covered(tmp_path, text, criterion):
    """The first run that did it was rejected later; it was taken for tried."""
    assert set(verdicts(tmp_path, text, criterion)) == {"covered"}


@pytest.mark.parametrize(
    "text",
    [
        "int f(const u8 *p) { if (!p) return 0; TIGHTROPE_LABEL(p[100] == 7); return 1; }",
        "int f(const int *p, int n) { if (!p || n != 3) return 0; TIGHTROPE_LABEL(p[n] == 7 && p[0] == 1); return 1; }",
        "int f(const u8 *p, unsigned short i) { if (!p) return 0; TIGHTROPE_LABEL(p[i] == 7 && i == 50); return 1; }",
    ],
)
def test_a_predicate_that_leaves_what_we_made_too_small_proves_nothing(tmp_path, text):
    assert verdicts(tmp_path, text, "label", "--grow-to", "0") == ["unknown"]


def test_a_predicate_that_stays_inside_is_refuted(tmp_path):
    text = (
        "int f(const int p[10], u8 i) { if (!p || i > 3) return 0; TIGHTROPE_LABEL(p[i] > 5 && p[i] < 6); return 1; }"
    )
    assert verdicts(tmp_path, text, "label") == ["infeasible"]


def test_a_predicate_that_ends_the_run_does_not_refute_what_is_behind_it(tmp_path):
    text = (
        "int f(u8 i) { u8 t[4] = {0}; TIGHTROPE_LABEL(t[i] == 3); if (i > 9) { TIGHTROPE_LABEL(i == 10); } return 0; }"
    )
    assert verdicts(tmp_path, text, "label") == ["infeasible", "covered"]
    assert verdicts(tmp_path, text, "label", "--instrumentation", "direct") == ["unknown", "unknown"]


def test_a_call_that_never_returns_is_not_called_infeasible(tmp_path):
    """A block counts when all of it was executed; that it was entered is not refuted by that."""
    text = "extern void exit(int); static void stop(int n) { exit(n); }\nint f(u8 a) { if (a > 5) stop(a); return 2; }"
    found = verdicts(tmp_path, text, "call,function,statement", "-f", "f")
    assert "unknown" in found and "infeasible" not in found


@pytest.mark.parametrize(
    "text",
    [
        "int f(u8 a) { if (a > 3 && stop(a)) return 1; return 0; }",
        "int f(u8 a) { return (a > 3) ^ (stop(a) > 2); }",
        "int f(u8 a, int b) { if (b) return 0; return a > 3 && 10 / b == 5; }",
    ],
)
def test_a_condition_of_a_decision_that_is_left_early_had_its_value(tmp_path, text):
    text = "extern void exit(int); static int stop(int n) { exit(n); return 0; }\n" + text
    found = verdicts(tmp_path, text, "condition", "-f", "f")
    assert found[:2] != ["infeasible", "infeasible"] and "unknown" in found


def test_a_decision_that_ends_before_the_run_does_is_refuted_as_ever(tmp_path):
    text = "int f(u8 a, u8 b) { if (a > 3 && a < 3) return 1; return 10 / b; }"
    assert verdicts(tmp_path, text, "condition").count("infeasible") == 1


def test_a_member_of_an_enum_is_that_of_its_own_scope(tmp_path):
    """Debug information leaves out the enum that no variable has."""
    text = "enum { K = 1 };\nint other(u8 a) { enum inner { K = 0 } z = K; return a > z; }\n"
    text += "int f(u8 a) { if (a > 3 && K) return 1; return 0; }"
    assert verdicts(tmp_path, text, "condition", "-f", "f") == ["covered", "covered", "covered", "infeasible"]


@pytest.mark.parametrize(("flag", "expected"), [("-funsigned-char", "infeasible"), ("-fsigned-char", "covered")])
def test_whether_char_has_a_sign_is_up_to_the_compiler(tmp_path, flag, expected):
    text = "int f(u8 a) { if (a > 3 && (char)-1 < 0) return 1; return 0; }"
    assert verdicts(tmp_path, text, "condition", "--", flag)[2] == expected
