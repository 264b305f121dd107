"""What every constructor of terms uses: truth values, negation, constants folded.

Terms are made in two ways. `TermTable.make` gives exactly the node that is asked for. The constructors give a term of
the same meaning, in two families that use one name for one operation:

    operation            plain              simplify           the difference
    not                  negate             negate             none: it is defined here
    and                  plain.all_of       both               simplify applies the two-level rules of its `gates`
    or                   plain.any_of       either, any_of     the same; `any_of` of many is a balanced tree
    exclusive or                            differ
    if-then-else                            choose
    =, <, <= ...         plain.compare      compare            simplify makes EQ, ULT, SLT only; decides by bounds
    = of either sort     plain.equals
    + - * / shifts ...   plain.apply        apply              plain takes floats too; simplify collects constants
    another width        plain.resize       resize             simplify takes a part from where its bits come from

`plain` keeps the shape of what it is given and folds constants: for conditions of paths, which a run has evaluated and
simplified already. `simplify` costs a little more per call: for whoever builds large terms, a whole unit with its loops
unrolled. Names of `plain` are always written with the module. Which of the two builds a term decides which model a
solver finds, so do not exchange one for the other without need: suites change.

Law: a built term has the meaning its name says on every input (tests hold each one against `evaluate`).
"""

from __future__ import annotations

from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable

TRUTH_BITS = 1


def truth(table: TermTable, value: bool) -> Term:
    return table.constant(int(value), TRUTH_BITS)


def is_constant(term: Term, value: int) -> bool:
    return term.op is Op.CONSTANT and not term.is_float and term.number == value


def negate(table: TermTable, term: Term) -> Term:
    """Logical not of a 1-bit term, without ever stacking one NOT on another."""
    require_truth(term)
    if term.op is Op.NOT:
        return term.args[0]
    if term.op is Op.CONSTANT:
        return truth(table, not term.number)
    return table.make(Op.NOT, TRUTH_BITS, (term,))


def literal(table: TermTable, term: Term, holds: bool) -> Term:
    """The constraint "this condition came out so"."""
    return term if holds else negate(table, term)


def fold(table: TermTable, term: Term) -> Term:
    """The constant a term without inputs stands for; any other term unchanged."""
    if term.support or term.op is Op.CONSTANT:
        return term
    return table.make(Op.CONSTANT, term.bits, (), evaluate(term, ()), term.is_float)


def require_truth(term: Term) -> None:
    if term.bits != TRUTH_BITS or term.is_float:
        raise ValueError(f"a condition has 1 bit, but {term!r} has {term.bits}")
