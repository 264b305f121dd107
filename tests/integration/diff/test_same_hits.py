"""What dependences call impacted although the same inputs hit it in both versions: a formula proves that, or must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.commands.diff.impact.impact import How, Impacted, take_back
from tightrope.equality import same_hits
from tightrope.equality.same_hits import SameHits
from tightrope.options.options import Options
from tightrope.solving.query import SolverUnknown
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedUnit

from .versions import write

PROVED: dict[str, tuple[str, str, set[str]]] = {  # old, new, the conditions that are not impacted
    "another computation of the same value": (
        "int f(int a, int b) { int r = a + a; if (r > 3) return 1; return b > 2 ? 3 : 4; }",
        "int f(int a, int b) { int r = a * 2; if (r > 3) return 1; return b > 2 ? 3 : 4; }",
        {"r > 3", "b > 2"},
    ),
    "a value that decides nothing": (
        "int f(int a, int b) { int r = a > 5 ? 7 : 8; if (r > 3) b++; return b > 2 ? 3 : 4; }",
        "int f(int a, int b) { int r = a > 6 ? 7 : 8; if (r > 3) b++; return b > 2 ? 3 : 4; }",
        {"r > 3", "b > 2"},
    ),
    "a branch that nothing reaches": (
        "int f(int a) { int r = a > 9; if (a > 3) return 1; if (r) return 2; return 3; }",
        "int f(int a) { int r = a > 8; if (a > 3) return 1; if (r) return 2; return 3; }",
        {"r"},
    ),
    "in a loop of a few iterations": (
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < n % 7; i++) s += 2; if (s > 8) return 1; return 0; }",
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < n % 7; i++) s += 3; if (s > 12) return 1; return 0; }",
        set(),  # its own code was changed
    ),
    "behind a loop of a few iterations": (
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < n % 7; i++) s += 2; int x = s; if (x) return 1; return 0; }",
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < n % 7; i++) s += 3; int x = s; if (x) return 1; return 0; }",
        {"x"},
    ),
    "an assumption that excludes the difference": (
        "int f(unsigned a) { unsigned r = a / 2; if (a < 4) if (r > 1) return 1; return 0; }",
        "int f(unsigned a) { unsigned r = a == 9 ? 0 : a / 2; if (a < 4) if (r > 1) return 1; return 0; }",
        {"r > 1"},
    ),
}  # fmt: skip

NOT_PROVED: dict[str, tuple[str, str, set[str]]] = {  # old, new, conditions that must stay impacted
    "one input makes the difference": (
        "int f(int a, int b) { int r = a; if (r > 3) return b; return 0; }",
        "int f(int a, int b) { int r = a == 123456 ? 0 : a; if (r > 3) return b; return 0; }",
        {"r > 3"},
    ),
    "a stub is given something else, and may answer otherwise": (
        "int g(int); int f(int a) { int r = a > 5 ? 7 : 8; g(a); if (r > 3) return 1; return 0; }",
        "int g(int); int f(int a) { int r = a > 6 ? 7 : 8; g(a + 1); if (r > 3) return 1; return 0; }",
        {"r > 3"},
    ),
    "a stub is called once more before": (
        "int g(void); int f(int a) { int r = g(); if (r > 3) return 1; return a; }",
        "int g(void); int f(int a) { g(); int r = g(); if (r > 3) return 1; return a; }",
        {"r > 3"},
    ),
    "earlier calls leave another state": (
        "int f(int a) { static int n; n += a > 0; if (n > 4) return 1; return 0; }",
        "int f(int a) { static int n; n += a > 1; if (n > 4) return 1; return 0; }",
        {"n > 4"},
    ),
    "after more iterations than a formula has": (
        "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s++; if (s == 700) return 1; return 0; }",
        "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += 1 + (i == 600); if (s == 700) return 1; return 0; }",
        {"s == 700"},
    ),
    "volatile data": (
        "volatile int v; int f(int a) { int r = a + v; if (r > 3) return 1; return 0; }",
        "volatile int v; int f(int a) { int r = v + a + 0 * v; if (r > 3) return 1; return 0; }",
        {"r > 3"},
    ),
    "memory that nobody wrote": (
        "int f(int a) { int t[4]; if (a > 3) t[1] = 0; int r = t[a & 1]; if (r > 3) return 1; return 0; }",
        "int f(int a) { int t[4]; if (a > 4) t[1] = 0; int r = t[a & 1]; if (r > 3) return 1; return 0; }",
        {"r > 3"},
    ),
    "a caller may pass fewer elements than the new version reads": (
        "int f(int *a, unsigned i, int b) { int r = a[i % 2]; if (b > 3) return r; return 0; }",
        "int f(int *a, unsigned i, int b) { int r = a[i % 4]; if (b > 3) return r; return 0; }",
        {"b > 3"},
    ),
    "a text that a caller may make longer": (
        "int f(const char *s) { int n = 0; while (s[n]) n++; if (n > 3) return 1; return 0; }",
        "int f(const char *s) { int n = 0; while (s[n]) n++; int m = n > 99 ? 0 : n; n = m; if (n > 3) return 1; return 0; }",
        {"n > 3"},
    ),
}  # fmt: skip


def impact(folder: Path, old: str, new: str, criteria: str = "branch") -> tuple[Impacted, PreparedUnit]:
    options = Options((), criteria=tuple(criteria.split(",")))
    files = [write(folder / name / "unit.c", text, options) for name, text in (("old", old), ("new", new))]
    one, other = (
        prepare_unit(files[at], "f", options, look_at_other_version(files[1 - at], "f", options)) for at in (0, 1)
    )
    found = find_impact(one, other, ())
    return take_back(found, SameHits(options).prove(one, other, found.doubtful, 20.0)), other


def conditions(unit: PreparedUnit, names: object) -> set[str]:
    return {each.text.rpartition(" is ")[0] for each in unit.objectives if each.id in set(names)}  # type: ignore[call-overload]


@pytest.mark.parametrize("name", PROVED)
def test_the_same_inputs_hit(name, tmp_path):
    old, new, expected = PROVED[name]
    found, unit = impact(tmp_path, old, new)
    assert expected <= conditions(unit, {each.id for each in unit.objectives} - set(found.new))
    assert not set(found.alike) & set(found.new)
    assert not {found.twins[each] for each in found.alike} & set(found.old)


@pytest.mark.parametrize("name", NOT_PROVED)
def test_other_inputs_may_hit(name, tmp_path):
    old, new, expected = NOT_PROVED[name]
    found, unit = impact(tmp_path, old, new)
    assert conditions(unit, found.new) & expected
    assert not conditions(unit, found.alike) & expected


def test_what_other_inputs_hit_stays_impacted(tmp_path):
    found, unit = impact(tmp_path, *PROVED["a value that decides nothing"][:2])
    assert conditions(unit, found.new) == {"a > 6"} and conditions(unit, found.alike) == {"r > 3", "b > 2"}


def test_what_is_changed_itself_stays_impacted(tmp_path):
    old = "int f(int a, int b) { if (a > 3 && b > 4) return 1; return 0; }"
    found, _ = impact(tmp_path, old, old.replace("a > 3 && b > 4", "b > 4 && a > 3"), "mcdc")
    assert How.CHANGED in {each.how for each in found.new.values()}


def test_without_an_answer_nothing_is_proved(tmp_path, monkeypatch):
    monkeypatch.setattr(SameHits, "_ask", lambda *_: SolverUnknown("too hard"))
    found, _ = impact(tmp_path, *PROVED["another computation of the same value"][:2])
    assert found.new and not found.alike


def test_a_mistake_of_ours_leaves_everything_impacted(tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(same_hits, "encode_pair", fail)
    monkeypatch.setattr(same_hits, "is_paranoid", lambda: False)
    found, _ = impact(tmp_path, *PROVED["another computation of the same value"][:2])
    assert found.new and not found.alike


def test_a_second_solver_must_agree(tmp_path, monkeypatch):
    monkeypatch.setattr(same_hits.ProofFiles, "is_seconded", lambda self, question: False)
    found, _ = impact(tmp_path, *PROVED["another computation of the same value"][:2])
    assert found.new and not found.alike
