"""Shapes of terms that a code writer gets wrong; agreement in general is tested in tests/semantics/operators."""

from __future__ import annotations

from tightrope.expr.compiled import LARGEST, WARM_UP, Predicates, compile_predicate
from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import Op
from tightrope.expr.terms import TermTable


def test_deep_terms_compile() -> None:
    table = TermTable()
    term = table.input(0, 32)
    for value in range(LARGEST // 3):
        term = table.make(Op.XOR, 32, (term, table.constant(value, 32)))
    assert compile_predicate(term)((5,)) == evaluate(term, (5,))


def test_huge_terms_are_evaluated_instead() -> None:
    table = TermTable()
    term = table.input(0, 32)
    for value in range(LARGEST):
        term = table.make(Op.ADD, 32, (term, table.constant(value, 32)))
    assert compile_predicate(term)((5,)) == evaluate(term, (5,))


def test_shared_terms_do_not_multiply() -> None:
    table = TermTable()
    term = table.input(0, 32)
    for _ in range(60):
        term = table.make(Op.ADD, 32, (term, term))
    assert compile_predicate(term)((1,)) == 0


def test_predicates_agree_before_and_after_warming_up() -> None:
    table = TermTable()
    term = table.make(Op.SLT, 1, (table.input(0, 8), table.constant(-3, 8)))
    predicates = Predicates()
    for _ in range(WARM_UP + 3):
        assert predicates.holds(term, (0x80,))
        assert not predicates.holds(term, (0x7F,))
