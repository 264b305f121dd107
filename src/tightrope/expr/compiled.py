"""Compiles terms to Python code, for conditions that are evaluated often (model reuse, filtering of inputs).

A term becomes one function of the input. A sub-term used once is written in place, a shared or deeply nested one
becomes a local variable:

    NOT(SLT(ADD(x, 1), 3))  with x = slot 0        def predicate(v):
                                                       return ((v[0] + 1 & 0xffffffff) ^ 0x80000000) < 0x80000003 ^ 1

Law: on inputs whose values fit their slots, the function returns what `evaluate` returns (True counts as 1).
Operators without a template below (division, floats) call their meaning in `evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tightrope.expr.evaluate import MEANINGS, evaluate
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, walk

Predicate = Callable[[Sequence[int]], int]
Reading = Callable[[Sequence[int]], Sequence[int]]  # an input -> the values of some terms

WARM_UP = 2  # evaluations before a term is worth compiling: compiling costs about as much as 6 evaluations
DEEPEST_NESTING = 12  # Python's own parser gives up near 100 nested parentheses
LARGEST = 4_000  # terms; beyond, compiling takes longer than it will ever save

_BINARY = {Op.AND: "&", Op.OR: "|", Op.XOR: "^"}
_WRAPPING = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*"}
_UNSIGNED = {Op.EQ: "==", Op.ULT: "<", Op.ULE: "<=", Op.F_SAME: "=="}
_SIGNED = {Op.SLT: "<", Op.SLE: "<="}


class Predicates:
    """Evaluates a term; compiles it if it is evaluated often."""

    __slots__ = ("_calls", "_compiled")

    def __init__(self) -> None:
        self._calls: dict[Term, int] = {}
        self._compiled: dict[Term, Predicate] = {}

    def holds(self, term: Term, values: Sequence[int]) -> int:
        """Not 0 if the condition is true for the input."""
        predicate = self._compiled.get(term)
        return predicate(values) if predicate is not None else self._warm_up(term, values)

    def _warm_up(self, term: Term, values: Sequence[int]) -> int:
        calls = self._calls.get(term, 0) + 1
        self._calls[term] = calls
        if calls > WARM_UP:
            self._compiled[term] = compile_predicate(term)
        return evaluate(term, values)


def compile_predicate(term: Term) -> Predicate:
    """A function that evaluates `term` quickly; any term will do, conditions are the usual case."""
    terms = list(walk(term))
    if len(terms) > LARGEST:
        return lambda values: evaluate(term, values)
    return _written(terms).function(term)


def compile_values(roots: Sequence[Term]) -> Reading:
    """A function that evaluates several terms at once: what they share is evaluated once, and compiled whatever the
    size."""
    return _written(list(walk(*roots))).function_of_all(roots)


def _written(terms: list[Term]) -> _FunctionWriter:
    writer = _FunctionWriter(_shared(terms))
    for each in terms:
        writer.write(each)
    return writer


def _shared(terms: list[Term]) -> set[Term]:
    """The terms used more than once."""
    once: set[Term] = set()
    shared: set[Term] = set()
    for term in terms:
        for arg in term.args:
            (shared if arg in once else once).add(arg)
    return shared


class _FunctionWriter:
    """Writes the body, operands first. `_text` is an expression in parentheses, a name or a number."""

    def __init__(self, shared: set[Term]) -> None:
        self._shared = shared
        self._text: dict[Term, str] = {}
        self._nesting: dict[Term, int] = {}
        self._lines: list[str] = []
        self._names: dict[str, object] = {}

    def write(self, term: Term) -> None:
        text = self._expression(term)
        nesting = 1 + max((self._nesting[arg] for arg in term.args), default=-1)
        if term.args and (term in self._shared or nesting > DEEPEST_NESTING):
            self._lines.append(f" t{term.id} = {text}")
            text, nesting = f"t{term.id}", 0
        self._text[term] = text
        self._nesting[term] = nesting

    def function(self, term: Term) -> Predicate:
        predicate: Predicate = self._function(self._text[term])
        return predicate

    def function_of_all(self, terms: Sequence[Term]) -> Reading:
        reading: Reading = self._function("".join(["(", *(f"{self._text[term]}, " for term in terms), ")"]))
        return reading

    def _function(self, result: str) -> Callable[[Sequence[int]], Any]:
        exec("\n".join(["def function(v):", *self._lines, f" return {result}"]), self._names)
        function: Callable[[Sequence[int]], Any] = self._names["function"]  # type: ignore[assignment]
        return function

    def _expression(self, term: Term) -> str:
        op, mask = term.op, (1 << term.bits) - 1
        operands = [self._text[arg] for arg in term.args]
        if op is Op.INPUT:
            return f"v[{term.number}]"
        if op is Op.CONSTANT:
            return str(MEANINGS[op](term))
        if op in _BINARY:
            return f"({operands[0]} {_BINARY[op]} {operands[1]})"
        if op in _WRAPPING:
            return f"({operands[0]} {_WRAPPING[op]} {operands[1]} & {mask})"
        if op in _UNSIGNED:
            return f"({operands[0]} {_UNSIGNED[op]} {operands[1]})"
        if op in _SIGNED:
            return f"({_flipped(term.args[0], operands[0])} {_SIGNED[op]} {_flipped(term.args[1], operands[1])})"
        if op is Op.ITE:
            return f"({operands[1]} if {operands[0]} else {operands[2]})"
        return self._rearranged(term, operands, mask) or self._call(term, operands)

    def _rearranged(self, term: Term, operands: list[str], mask: int) -> str:
        """Operators that only move bits."""
        if term.op is Op.NOT:
            return f"({operands[0]} ^ {mask})"
        if term.op is Op.EXTRACT:
            shifted = f"{operands[0]} >> {term.number}" if term.number else operands[0]
            return f"({shifted} & {mask})"
        if term.op is Op.CONCAT:
            return f"({operands[0]} << {term.args[1].bits} | {operands[1]})"
        if term.op is Op.ZERO_EXTEND:
            return operands[0]
        if term.op is Op.SIGN_EXTEND:
            top = 1 << (term.args[0].bits - 1)
            return f"(({operands[0]} ^ {top}) - {top} & {mask})"
        return ""

    def _call(self, term: Term, operands: list[str]) -> str:
        self._names[f"m{term.id}"] = MEANINGS[term.op]
        self._names[f"n{term.id}"] = term
        return f"m{term.id}({', '.join([f'n{term.id}', *operands])})"


def _flipped(term: Term, text: str) -> str:
    """With its sign bit flipped, so that signed order becomes unsigned order."""
    top = 1 << (term.bits - 1)
    return str(term.number ^ top) if term.op is Op.CONSTANT else f"({text} ^ {top})"
