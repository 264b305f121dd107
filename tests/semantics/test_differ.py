"""What a formula of two versions says, against what people know (told_apart.py) and against brute force: small functions
that are edited at random (edits.py), all of whose inputs are run on both.

Usually a few are tried; TIGHTROPE_FULL=1 tries all, TIGHTROPE_SEEDS=100:200 these random edits.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from edits import CHANGING, HARMLESS, Edit, Source, draw_edits
from small_domains import HAND_WRITTEN, Small, read_small
from told_apart import ALIKE, DIFFERENT, NOT_EQUAL
from version_pairs import both_versions

from tightrope.equality.equality_proof import EqualityResult
from tightrope.errors import TightropeError
from tightrope.source.toolchain import find_compiler

IS_FULL = os.environ.get("TIGHTROPE_FULL", "") not in ("", "0")
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:3" if IS_FULL else "0:1").split(":")))
NAMES = sorted(path.stem for path in HAND_WRITTEN.glob("*.c"))
USUAL = ("correlated", "unions", "shifts")
MOST_INPUTS = 1 << 10  # run on both
TALLY: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def table(request: pytest.FixtureRequest) -> Iterator[None]:
    """At the end, what became of the edits."""
    yield
    reporter = request.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and TALLY:
        reporter.write_line("\nedits: " + ", ".join(f"{count} {words}" for words, count in sorted(TALLY.items())))


def some(pairs: dict[str, tuple[str, str]], *usual: str) -> list[str]:
    return sorted(pairs) if IS_FULL else list(usual)


def sought(pair: tuple[str, str], folder: Path, *words: str) -> EqualityResult:
    with both_versions(Small("f", pair[0]), pair[1], folder, *words) as versions:
        return versions.seek()


@pytest.mark.parametrize("name", some(ALIKE, "rewritten", "a struct", "a stub", "a pointer"))
def test_alike(name: str, tmp_path: Path) -> None:
    found = sought(ALIKE[name], tmp_path)
    assert found.verdict == "equal", found
    assert found.formula


@pytest.mark.parametrize("name", some(DIFFERENT, "status", "late", "endless"))
def test_different(name: str, tmp_path: Path) -> None:
    found = sought(DIFFERENT[name], tmp_path)
    assert found.verdict == "different", found
    assert found.input is not None


@pytest.mark.parametrize(
    "name", some(NOT_EQUAL, "never written", "never written, large", "an argument", "far away", "initialised")
)
def test_never_called_equal(name: str, tmp_path: Path) -> None:
    found = sought(NOT_EQUAL[name], tmp_path)
    assert found.verdict != "equal", found
    assert found.verdict == "different" or found.reason


def test_assumptions_exclude_what_differs(tmp_path: Path) -> None:
    pair = "int f(int a) { return a / 2; }", "int f(int a) { return a >> 1; }"
    assert sought(pair, tmp_path).verdict == "different"
    found = sought(pair, tmp_path, "--assume", "a >= 0")
    assert (found.verdict, found.reason) == ("equal", "under the assumptions")


def test_nothing_is_proved_about_no_input(tmp_path: Path) -> None:
    pair = "int f(int a) { return a; }", "int f(int a) { return a + 1; }"
    assert sought(pair, tmp_path, "--assume", "a != a").verdict == "unknown"


def test_no_time(tmp_path: Path) -> None:
    with both_versions(Small("f", ALIKE["a loop"][0]), ALIKE["a loop"][1], tmp_path) as versions:
        assert versions.seek(0.0).verdict == "unknown"


def test_what_is_not_compared_is_said(tmp_path: Path) -> None:
    assert "end before they return" in sought(ALIKE["a crash"], tmp_path).reason


# --- brute force ---------------------------------------------------------------------------------


def edits_of(small: Small, seed: int) -> Iterator[Edit]:
    """Two that change something, one that should not."""
    random = Random(f"{small.name} {seed}")
    source = Source(find_compiler(), small.text, ["f"])
    for operators, count in ((CHANGING, 2), (HARMLESS, 1)):
        found = (edit for edit in islice(draw_edits(source, random, operators), 20) if edit.text != small.text)
        yield from islice(found, count)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES if IS_FULL else USUAL)
def test_brute_force(name: str, seed: int, tmp_path: Path) -> None:
    small = read_small(HAND_WRITTEN / f"{name}.c")
    for edit in list(edits_of(small, seed))[: None if IS_FULL else 2]:
        judge(small, edit, tmp_path)


def judge(small: Small, edit: Edit, folder: Path) -> None:
    """No wrong verdict; whatever is unknown has a reason."""
    try:
        with both_versions(small, edit.text, folder) as versions:
            found = versions.seek(8.0)
            truth = next(islice(versions.differing_inputs(), 1), None) if versions.is_enumerable else None
    except TightropeError:
        return  # no C
    TALLY[f"{found.verdict} ({'different' if truth else 'alike'} in runs)"] += 1
    assert found.verdict != "equal" or truth is None, (edit.words, truth, found)
    assert found.verdict != "different" or found.input is not None
    assert found.verdict != "unknown" or found.reason
