"""Questions as SMT-LIB text: two other parsers read them, and answer what a solver answers when asked directly."""

from __future__ import annotations

import bitwuzla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from term_strategies import Sample, bit_samples, mixed_samples, one_operator

from tightrope.expr import plain
from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import Term, TermTable, walk
from tightrope.solving.backends import start_session
from tightrope.solving.query import Sat, Unsat
from tightrope.solving.smtlib import fingerprint, write_smtlib

APPLIED = [op for op in OPERATORS if op not in (Op.CONSTANT, Op.INPUT)]


def quick(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


def test_text_of_a_small_question() -> None:
    table = TermTable()
    shared = table.make(Op.ADD, 8, (table.input(0, 8), table.constant(1, 8)))
    low = table.make(Op.SLT, 1, (shared, table.constant(3, 8)))
    either = table.make(Op.OR, 1, (low, table.input(4, 1)))
    assert write_smtlib([either, table.make(Op.EQ, 1, (shared, shared))]) == (
        "(set-logic QF_BV)\n"
        "(declare-const slot0 (_ BitVec 8))\n"
        "(declare-const slot4 (_ BitVec 1))\n"
        "(define-fun t0 () (_ BitVec 8) (bvadd slot0 #x01))\n"
        "(define-fun t1 () Bool (bvslt t0 #x03))\n"
        "(define-fun t2 () Bool (or t1 (= slot4 #b1)))\n"
        "(define-fun t3 () Bool (= t0 t0))\n"
        "(assert t2)\n"
        "(assert t3)\n"
        "(check-sat)\n"
    )


def test_fingerprint_is_of_the_question_not_of_the_process() -> None:
    def question(table: TermTable) -> list[Term]:
        x, y = table.input(0, 8), table.input(1, 8)
        return [table.make(Op.ULT, 1, (x, y)), table.make(Op.EQ, 1, (table.make(Op.MUL, 8, (y, y)), x))]

    first, second = TermTable(), TermTable()
    for number in range(9):
        second.input(9 - number, 8)  # other identifiers for the same terms
    assert fingerprint(question(first)) == fingerprint(question(second))
    assert fingerprint(question(first)) != fingerprint(question(first)[:1])
    assert len(fingerprint([])) == 64


def test_a_slot_of_two_widths_is_refused() -> None:
    table = TermTable()
    wide = table.make(Op.EXTRACT, 1, (table.input(0, 8),), 0)
    with pytest.raises(ValueError, match="slot 0 has 8 bits in one term and 1 in another"):
        write_smtlib([wide, table.input(0, 1)])


def test_shared_terms_do_not_multiply() -> None:
    table = TermTable()
    term = table.input(0, 32)
    for _ in range(60):
        term = table.make(Op.ADD, 32, (term, term))
    text = write_smtlib([plain.equals(table, term, table.constant(0, 32))])
    assert len(text.splitlines()) == 65
    assert _answers(text) == {"sat"}


def test_deep_terms() -> None:
    table = TermTable()
    deep = table.input(0, 8)
    for number in range(50_000):
        deep = table.make(Op.XOR, 8, (deep, table.constant(number % 251, 8)))
    text = write_smtlib([plain.equals(table, deep, table.constant(7, 8))])
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text, parse_only=True, parse_file=False)
    assert text.count("define-fun") == 50_001


@pytest.mark.parametrize("op", APPLIED, ids=lambda op: op.name)
def test_each_operator(op: Op) -> None:
    _check_samples(one_operator(op, leaf="any"), examples=4)


def test_nested_bit_vectors() -> None:
    _check_samples(bit_samples(leaf="any", most=6), examples=25)


def test_nested_floats() -> None:
    _check_samples(mixed_samples(leaf="constant"), examples=25)


def _check_samples(samples: st.SearchStrategy[Sample], examples: int) -> None:
    @given(samples)
    @quick(examples)
    def check(sample: Sample) -> None:
        _check(sample)

    check()


def _check(sample: Sample) -> None:
    """With the inputs pinned, the term has the value that `evaluate` gives it, and no other: sat, and unsat."""
    table, term = sample.table, sample.term
    value = evaluate(term, sample.values)
    result = table.make(Op.CONSTANT, term.bits, (), value, term.is_float)
    is_so = table.make(Op.F_SAME if term.is_float else Op.EQ, 1, (term, result))
    pins = [
        plain.equals(table, leaf, table.constant(sample.values[leaf.number], leaf.bits))
        for leaf in walk(term)
        if leaf.op is Op.INPUT
    ]
    possible, impossible = [*pins, is_so], [*pins, table.make(Op.NOT, 1, (is_so,))]
    assert isinstance(start_session().ask(possible), Sat) and _answers(write_smtlib(possible)) == {"sat"}
    assert isinstance(start_session().ask(impossible), Unsat) and _answers(write_smtlib(impossible)) == {"unsat"}


def _answers(text: str) -> set[str]:
    return {_bitwuzla_answer(text), _z3_answer(text)}


def _bitwuzla_answer(text: str) -> str:
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text, parse_only=True, parse_file=False)
    return str(parser.bitwuzla().check_sat())


def _z3_answer(text: str) -> str:
    z3 = pytest.importorskip("z3")
    solver = z3.Solver()
    solver.add(z3.parse_smt2_string(text))
    return str(solver.check())
