"""What every constructor of terms uses: truth values, negation, constant folding.

Terms are made in two ways. `TermTable.make` returns exactly the requested node. The constructors return a term of
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

`plain` keeps the structure of its operands and folds constants: for conditions of paths, which a run has already
evaluated and simplified. `simplify` costs a little more per call: for large terms, such as a whole unit with its loops
unrolled. Names of `plain` are always written with the module. The choice influences which model a solver finds, so do
not exchange one for the other without need: suites change.

Law: a constructed term has the meaning of its name for every input (tests compare each one with `evaluate`).
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
    """Logical not of a 1-bit term, without double negation."""
    require_truth(term)
    if term.op is Op.NOT:
        return term.args[0]
    if term.op is Op.CONSTANT:
        return truth(table, not term.number)
    return table.make(Op.NOT, TRUTH_BITS, (term,))


def literal(table: TermTable, term: Term, holds: bool) -> Term:
    """The condition or its negation, as `holds` says."""
    return term if holds else negate(table, term)


def fold(table: TermTable, term: Term) -> Term:
    """The constant value of a term without inputs; any other term unchanged."""
    if term.support or term.op is Op.CONSTANT:
        return term
    return table.make(Op.CONSTANT, term.bits, (), evaluate(term, ()), term.is_float)


def require_truth(term: Term) -> None:
    if term.bits != TRUTH_BITS or term.is_float:
        raise ValueError(f"a condition has 1 bit, but {term!r} has {term.bits}")
