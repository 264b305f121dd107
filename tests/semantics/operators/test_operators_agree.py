"""Each operator means the same to `evaluate`, to compiled predicates and to every solver."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from term_strategies import Sample, bit_samples, mixed_samples, one_operator

from tightrope.expr import plain
from tightrope.expr.build import negate
from tightrope.expr.compiled import compile_predicate
from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import OPERATORS, Op
from tightrope.expr.terms import Term, walk
from tightrope.solving.backends import BACKENDS, is_installed, load_backend
from tightrope.solving.path_condition import PathCondition
from tightrope.solving.query import Query, Sat, Unsat
from tightrope.solving.solver import Solver

INSTALLED = [name for name in BACKENDS if is_installed(name)]
APPLIED = [op for op in OPERATORS if op not in (Op.CONSTANT, Op.INPUT)]


def quick(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


@given(bit_samples(leaf="any"))
@quick(300)
def test_compiled_bit_vectors_agree_with_evaluate(sample: Sample) -> None:
    assert compile_predicate(sample.term)(sample.values) == evaluate(sample.term, sample.values)


@given(mixed_samples(leaf="any"))
@quick(150)
def test_compiled_floats_agree_with_evaluate(sample: Sample) -> None:
    assert compile_predicate(sample.term)(sample.values) == evaluate(sample.term, sample.values)


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("op", APPLIED, ids=lambda op: op.name)
def test_operator_on_constants(op: Op, name: str) -> None:
    """The solver folds it: its concrete arithmetic against ours."""
    _check_samples(one_operator(op, leaf="constant"), name, examples=12)


@pytest.mark.parametrize("op", APPLIED, ids=lambda op: op.name)
def test_operator_on_inputs(op: Op) -> None:
    """The solver must derive it: its encoding against ours."""
    _check_samples(one_operator(op, leaf="input"), "bitwuzla", examples=5)


@pytest.mark.parametrize("name", INSTALLED)
def test_nested_bit_vectors(name: str) -> None:
    _check_samples(bit_samples(leaf="constant"), name, examples=60)


def test_nested_bit_vectors_of_inputs() -> None:
    _check_samples(bit_samples(leaf="any", most=6), "bitwuzla", examples=25)


@pytest.mark.parametrize("name", INSTALLED)
def test_nested_floats(name: str) -> None:
    _check_samples(mixed_samples(leaf="constant"), name, examples=40)


def _check_samples(samples: st.SearchStrategy[Sample], name: str, examples: int) -> None:
    @given(samples)
    @quick(examples)
    def check(sample: Sample) -> None:
        _check(sample, load_backend(name)(time_limit=20.0))

    check()


def _check(sample: Sample, solver: Solver) -> None:
    """With the inputs pinned, the term can have the value that `evaluate` gives it, and no other."""
    condition = PathCondition.empty().extend_all(_pins(sample))
    value = evaluate(sample.term, sample.values)
    result = sample.table.make(Op.CONSTANT, sample.term.bits, (), value, sample.term.is_float)
    is_so = sample.table.make(Op.F_SAME if sample.term.is_float else Op.EQ, 1, (sample.term, result))
    assert isinstance(solver.ask(Query(condition, is_so, sample.values)), Sat)
    is_not_so = sample.table.make(Op.NOT, 1, (is_so,))
    assert isinstance(solver.ask(Query(condition, is_not_so, sample.values)), Unsat)


def _pins(sample: Sample) -> list[Term]:
    inputs = [term for term in walk(sample.term) if term.op is Op.INPUT]
    return [
        plain.equals(sample.table, term, sample.table.constant(sample.values[term.number], term.bits))
        for term in inputs
    ]


@given(bit_samples(leaf="input", most=4))
@quick(50)
def test_negation_is_the_opposite(sample: Sample) -> None:
    zero = sample.table.constant(0, sample.term.bits)
    condition = plain.equals(sample.table, sample.term, zero)
    if condition.support:
        opposite = negate(sample.table, condition)
        assert evaluate(condition, sample.values) + evaluate(opposite, sample.values) == 1
        assert negate(sample.table, opposite) is condition
