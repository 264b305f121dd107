"""E5: its changes can change behaviour, and it measures what it says."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib import import_module

import pytest
from imports import ROOT

from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason, Unknown

EXPERIMENTS = ROOT / "experiments"
COMPILER = (
    sys.executable,
    "-m",
    "ziglang",
    "cc",
    "-shared",
    "-fPIC",
    "-w",
    "-fno-sanitize=undefined",
    "-nostdlib",
    "-lc",
)
NAMES = [*(f"V{number}" for number in range(1, 6)), *(f"C{number}" for number in range(1, 11))]


def _change(name: str):
    return next(each for each in import_module("experiments.seeded_changes").read_changes() if each.name == name)


# -- the changes


def test_changes_are_of_many_kinds_and_programs():
    changes = import_module("experiments.seeded_changes").read_changes()
    assert [each.name for each in changes] == NAMES
    paper = [each for each in changes if each.name.startswith("V")]
    assert {each.program for each in paper} == {"collision"}
    kinds = {"relational operator": 1, "constant": 1, "and to or": 2, "dropped conjunct": 1}
    assert Counter(each.kind for each in paper) == kinds
    others = [each for each in changes if each not in paper]
    assert len({each.kind for each in others}) == len({each.program for each in others}) == 10


@pytest.mark.parametrize("name", NAMES)
def test_a_witness_tells_both_versions_apart(name, tmp_path):
    change = _change(name)
    answers = []
    for number, text in enumerate(change.texts):
        source, library = tmp_path / f"{number}.c", tmp_path / f"{number}.so"
        source.write_text(f"{text}\nint witness(void)\n{{{change.witness}\n}}\n")
        subprocess.run([*COMPILER, *change.subject.flags, str(source), "-o", str(library)], check=True)
        answers.append(ctypes.CDLL(str(library)).witness())
    assert answers[0] != answers[1]


def test_a_change_that_is_not_in_the_program_is_refused():
    change = replace(_change("V1"), old="no such text")
    with pytest.raises(ValueError, match=r"V1: what it replaces is 0 times in labels/collision\.c"):
        _ = change.texts


# -- the search


def test_e5_searches_for_what_is_impacted():
    """Removing the last sorting step leaves the questions before it alone."""
    directed = import_module("experiments.change_search")
    found = directed.measure(_change("C1"), directed.Asked(1, has_diff=False))
    assert 0 < len(found.impacted) < found.objectives
    for setting in directed.SETTINGS:
        (one,), (full,) = (found.searched[setting, way] for way in (directed.DIRECTED, directed.FULL))
        assert set(one.verdicts) == found.impacted < set(full.verdicts)
        assert one.count(Covered, found.impacted) == full.count(Covered, found.impacted) == len(found.impacted)
        assert one.is_whole and full.is_whole
        has_tests = directed.SETTINGS[
            setting
        ].has_old_tests  # they may suffice, and inputs of the formula come in addition
        assert has_tests or one.runs < full.runs


def test_the_encoding_asks_its_formula_in_a_first_turn():
    """Proofs from the code alone come after it: they used up the turn, and the search made 476 runs instead of 11."""
    directed = import_module("experiments.change_search")
    found = directed.measure(_change("V1"), directed.Asked(1, settings=("encoding first",), has_diff=False))
    (one,) = found.searched["encoding first", directed.DIRECTED]
    assert one.is_whole and one.runs < 100


def test_e5_asks_diff_for_inputs_that_tell_versions_apart():
    directed = import_module("experiments.change_search")
    change = _change("C1")
    with change.written() as (old, new):
        found = directed.tell_apart(change, old, new)
    assert found and all(each["observations"] and each["inputs"] for each in found)


# -- the page


def _searched(runs: int, reason: str, **verdicts: object):
    return import_module("experiments.change_search").Searched(runs, 2 * runs, runs / 100, reason, verdicts)


def _found(name: str, directed: int, full: int):
    made = import_module("experiments.change_search")
    one = _searched(directed, "DONE", a=Covered(("3",)), b=Infeasible(Proof.EXHAUSTED))
    late = Unknown(Reason.TIME_LIMIT)
    other = _searched(full, "TIME_LIMIT", a=Covered(("2", "4")), b=late, c=late)
    searched = {
        (setting, way): (each,) for setting in made.SETTINGS for way, each in (("directed", one), ("full", other))
    }
    seen = {"observations": [{"what": "result", "old": 0, "new": 1}]}
    every_path = _searched(992, "EXHAUSTED") if name.startswith("V") else None
    return made.Found(_change(name), 3, frozenset("ab"), searched, every_path, (seen,))


def test_e5_reports_ratios_beside_the_paper():
    e5 = import_module("experiments.e5_changes")
    found = [_found("V1", 10, 100), _found("C3", 100, 200)]
    page = "\n".join(e5.report(found, e5.read_arguments(["--no-file"])))
    assert "| V1 | relational operator | 42 | 695 | 6.0 % | 4 | 47 | 8.5 % | 992 | 10 | 100 | 10.0 % |" in page
    assert (
        "| C3 | replacer | dropped conjunct | 3 | 2 | 100 | 200 | 50.0 % | 200 | 400 | 50.0 % | 1.00 | 2.00 |" in page
    )
    assert "| search first | 30.0 % | 30.0 % | 30.0 % | **missed** |" in page
    assert "| directed, old tests first; full, search first, without tests | 30.0 % |" in page
    assert "| 1 of 1 | 0 of 1 |" in page
    assert "| all | 2 | 30.0 % | 36.7 % |" in page
    assert "| V1 | 2 | 1 | 1 | 0 | 1 | 0 | 1 | 3 | 4 | 75.0 % |" in page
    assert "and not by every directed one: 0." in page
    assert "differently for 2 of 2" in page and "| C3 | 1 | result: 0, 1 |" in page
    rows = list(e5.csv_rows(found))
    assert len(rows) == 16 and rows[0]["runs"] == 10 and rows[0]["impacted_infeasible"] == 1


def test_e5_names_what_directed_searches_lost():
    e5, made = import_module("experiments.e5_changes"), import_module("experiments.change_search")
    found = _found("V1", 10, 100)
    missed = _searched(10, "DONE", a=Unknown(Reason.TIME_LIMIT), b=Infeasible(Proof.EXHAUSTED))
    searched = found.searched | {
        ("search first", made.DIRECTED): (found.searched["search first", made.DIRECTED][0], missed)
    }
    found = replace(found, searched=searched)
    assert e5.lost(found, "search first") == ["a"] and e5.lost(found, "search alone") == []
    assert "- V1: `a`" in "\n".join(e5.report([found], e5.read_arguments(["--no-file"])))


def test_e5_takes_no_search_that_was_cut_off_for_a_saving():
    """It has few runs because it is not done."""
    e5, made = import_module("experiments.e5_changes"), import_module("experiments.change_search")
    done, late = _found("V1", 50, 100), _found("C3", 1, 100)
    (one,) = late.searched["search first", made.DIRECTED]
    late = replace(
        late, searched=late.searched | {("search first", made.DIRECTED): (replace(one, stop_reason="TIME_LIMIT"),)}
    )
    page = "\n".join(e5.report([done, late], e5.read_arguments(["--no-file"])))
    assert "| all | 2 | 25.5 % |" in page and "| all whose directed searches ended | 1 | 50.0 % |" in page
    assert "Directed searches of C3 were cut off by the time limit" in page


def test_e5_takes_a_part():
    e5 = import_module("experiments.e5_changes")
    assert [each.name for each in e5.choose(["V1", "tags-*"])] == ["V1", "C5"]
    assert len(e5.choose([])) == 15
    assert e5.read_arguments(["--setting", "search alone"]).settings == ("search alone",)
    page = "\n".join(e5.report([_found("V1", 1, 2)], e5.read_arguments(["--setting", "search alone", "--no-diff"])))
    assert "## Search alone" in page and "## Search first" not in page and "tell the versions apart" not in page
