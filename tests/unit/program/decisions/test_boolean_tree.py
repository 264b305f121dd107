"""Vectors of small trees, written down by hand. Hundreds against brute force: tests/criteria/test_decision_tables.py."""

from __future__ import annotations

import pytest

from tightrope.program.decisions.boolean_tree import (
    And,
    Both,
    Choice,
    ConditionRef,
    Differ,
    Not,
    Or,
    Tree,
    count_vectors,
    evaluate,
    leaves,
    vectors,
)

A, B, C = map(ConditionRef, range(3))


def show(tree: Tree, constants: dict[int, bool] | None = None) -> list[str]:
    words = {False: "F", True: "T", None: "-"}
    return ["".join(words[v] for v in each.values) + words[each.outcome] for each in vectors(tree, constants or {})]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (A, ["FF", "TT"]),
        (Not(A), ["FT", "TF"]),
        (And(A, Or(B, C)), ["F--F", "TFFF", "TFTT", "TT-T"]),
        (Both(A, B), ["FFF", "FTF", "TFF", "TTT"]),
        (Choice(A, B, C), ["F-FF", "F-TT", "TF-F", "TT-T"]),
        (And(Differ(A, B), C), ["FF-F", "FTFF", "FTTT", "TFFF", "TFTT", "TT-F"]),
    ],
)
def test_vectors(tree: Tree, expected: list[str]) -> None:
    assert show(tree) == expected
    assert count_vectors(tree) == len(expected)


def test_constants_exclude_vectors() -> None:
    assert show(And(A, Or(B, C)), {1: False}) == ["F--F", "TFFF", "TFTT"]
    assert show(And(A, Or(B, C)), {0: False}) == ["F--F"]
    assert show(Choice(A, B, C), {0: True}) == ["TF-F", "TT-T"]
    assert count_vectors(Choice(A, B, C), {0: True}) == 2


def test_leaves_come_in_the_order_of_the_text() -> None:
    assert leaves(Choice(Not(A), And(B, C), ConditionRef(3))) == (0, 1, 2, 3)


def test_evaluation_skips_nothing() -> None:
    assert evaluate(Or(A, Not(B)), {0: False, 1: False})
    assert not evaluate(Choice(A, B, C), {0: False, 1: True, 2: False})
