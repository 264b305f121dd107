"""The parts of bench/soundness.py that judge, reduce and count."""

from __future__ import annotations

import shutil
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

MARKED = (
    "int f(int a)\n{\nint r = 0;\nif («0:«0.0:a > 3»») { r = 1; }\nr += 2;\nreturn r;\n}\nint g(void) { return 1; }\n"
)


def test_what_is_of_no_interest_is_left_out():
    reduce_text = import_module("bench.parts.reduced").reduce_text
    tried = []

    def is_interesting(text: str) -> bool:
        tried.append(text)
        assert text.count("«") == text.count("»")
        return "a > 3" in text and "return r;" in text

    assert reduce_text(MARKED, is_interesting).split() == "int f(int a) { if («0:«0.0:a > 3»») { } return r; }".split()
    assert len(tried) < 40


def test_a_branch_is_found_by_the_words_of_its_condition():
    llvm_branches = import_module("bench.parts.llvm_branches")
    text = "if (!(a > 3) && b)\n"
    counts = {(1, 5, 1, 13): (7, 0), (1, 17, 1, 18): (0, 7)}  # `!(a > 3)` is not the condition that we count
    sides = [("+0.9", 9, "a > 3"), ("+0.17", 17, "b")]
    objectives = [
        {"id": f"f:branch:{place}:{side}", "line": 1, "column": column, "text": f"{words} is {side}"}
        for place, column, words in sides
        for side in ("true", "false")
    ]
    found = {each["id"]: was_taken for each, was_taken in llvm_branches.taken_sides(objectives, counts, text)}
    assert found == {"f:branch:+0.17:true": False, "f:branch:+0.17:false": True}


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="clang-19 is not installed")
def test_a_condition_that_clang_folds_is_not_judged(tmp_path: Path):
    """llvm-cov counts it as never taken: seed 17 of the campaign called what a test covers wrong."""
    unit, tests = tmp_path / "unit.c", tmp_path / "tests.c"
    unit.write_text(
        'static const char *const words[] = {"a", "bc"};\n'
        "int f(int a) { if (words[__builtin_ffs(9) & 1][0] >= 4 && a > 1) return 1; return 0; }\n"
        "int g(int a) { return a > 7 ? 1 : 2; }\n"
    )
    tests.write_text('#include "unit.c"\nint main(void) { return f(0) + f(3) - 1; }\n')
    counts = import_module("bench.parts.llvm_branches").count_branches([tests], unit, tmp_path)
    lines = unit.read_text().split("\n")
    said = {lines[line - 1][column - 1 : end - 1]: counted for (line, column, _, end), counted in counts.items()}
    assert said == {"a > 1": (1, 1), "a > 7": (0, 0)}


def test_results_are_kept_and_added_up(tmp_path: Path):
    soundness = import_module("bench.soundness")
    judged = soundness.Judged("everyday", 3, "auto", "mcdc", Counter(infeasible=4, covered=2), ["infeasible: f"])
    soundness.keep_result(tmp_path, judged)
    soundness.keep_result(tmp_path, soundness.Judged("csmith", 7, "search", "branch", problem="it hangs"))
    soundness.add_seconds(tmp_path, 7200)
    assert soundness.read_results(tmp_path)[0] == judged
    lines = list(soundness.page(tmp_path))
    assert any(line.startswith("| all | 2 | 1 | 0 | 4 | 2 |") and line.endswith("| 1 |") for line in lines)
    assert "- 1: `it hangs`" in lines and "    - infeasible: f" in lines
    assert any("2.0 hours" in line for line in lines)


def test_programs_take_turns():
    soundness = import_module("bench.soundness")
    first = [kind for kind, _ in zip(soundness.programs(0), range(8), strict=False)]
    assert [number for _, number in first] == list(range(8))
    assert {kind for kind, _ in first[:7]} == {"everyday"}
