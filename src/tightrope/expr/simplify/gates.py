"""Conditions joined, and choices: constructors that simplify locally.

Law: the result has the meaning its name says on every input. A conjunction is looked at together with what its two
operands are made of (the two-level rules of and-inverter graphs: Brummayer and Biere 2006), a disjunction as the
negated conjunction of negations, so that one set of rules serves both:

    (x & y) & x  = x & y          (x & y) & ~x = 0              contradiction
    ~(x & y) & x = ~y & x         ~(x & y) & ~x = ~x            substitution, subsumption
    ~(x & y) & ~(x & ~y) = ~x                                   resolution; as a join: (x & y) | (x & ~y) = x

A gate has one form: no OR has a negated operand, no AND has two. So a condition and its opposite are always a term and
the NOT of the same term.
"""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.expr.build import negate
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable

Literal = tuple[Term, bool]  # a condition without NOT, and whether it is negated
Gate = tuple[bool, Literal, Literal]  # (True, p, q): p & q; (False, p, q): ~(p & q)

_EXTENSIONS = (Op.ZERO_EXTEND, Op.SIGN_EXTEND)
LOOKED_AT = 12  # conjuncts of a condition, to see whether another condition follows from it


def both(table: TermTable, a: Term, b: Term) -> Term:
    """The 1-bit conjunction."""
    if a is b:
        return a
    if a.op is Op.CONSTANT:
        return b if a.number else a
    if b.op is Op.CONSTANT:
        return a if b.number else b
    return _term(table, _met(table, _literal(a), _literal(b)))


def either(table: TermTable, a: Term, b: Term) -> Term:
    """The 1-bit disjunction."""
    if a is b:
        return a
    if a.op is Op.CONSTANT:
        return a if a.number else b
    if b.op is Op.CONSTANT:
        return b if b.number else a
    return _term(table, _flipped(_met(table, _flipped(_literal(a)), _flipped(_literal(b)))))


def any_of(table: TermTable, terms: Sequence[Term]) -> Term:
    """True if one of several holds; a balanced tree, to limit the depth. There is at least one."""
    level = list(dict.fromkeys(terms))
    while len(level) > 1:
        pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
        level = [either(table, *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0]


def differ(table: TermTable, a: Term, b: Term) -> Term:
    """The 1-bit exclusive or; negations come out of it."""
    if a.op is Op.CONSTANT:
        return negate(table, b) if a.number else b
    if b.op is Op.CONSTANT:
        return negate(table, a) if b.number else a
    (x, x_is_negated), (y, y_is_negated) = _literal(a), _literal(b)
    is_negated = x_is_negated != y_is_negated
    if x is y:
        return table.constant(int(is_negated), 1)
    pair = (x, y) if x.id < y.id else (y, x)
    return _term(table, (table.make(Op.XOR, 1, pair), is_negated))


def choose(table: TermTable, condition: Term, then: Term, otherwise: Term) -> Term:
    """`condition ? then : otherwise`, of bit vectors or of floats."""
    if then is otherwise:
        return then
    if condition.op is Op.CONSTANT:
        return then if condition.number else otherwise
    if condition.op is Op.NOT:
        condition, then, otherwise = condition.args[0], otherwise, then
    if then.op is Op.ITE:
        then = _under(then, (condition, False))
    if otherwise.op is Op.ITE:
        otherwise = _under(otherwise, (condition, True))
    if then is otherwise:
        return then
    if then.bits == 1 and not then.is_float:
        return _choose_truth(table, condition, then, otherwise)
    return _choose_value(table, condition, then, otherwise)


# -- literals


def _literal(term: Term) -> Literal:
    return (term.args[0], True) if term.op is Op.NOT else (term, False)


def _flipped(literal: Literal) -> Literal:
    return literal[0], not literal[1]


def _term(table: TermTable, literal: Literal) -> Term:
    return negate(table, literal[0]) if literal[1] else literal[0]


def _gate(literal: Literal) -> Gate | None:
    term, is_negated = literal
    if term.op is Op.AND:
        return not is_negated, _literal(term.args[0]), _literal(term.args[1])
    if term.op is Op.OR:
        return is_negated, _flipped(_literal(term.args[0])), _flipped(_literal(term.args[1]))
    return None


# -- conjunctions

Step = tuple[Literal, ...]  # what p & q is as well: (): false; one literal; two: their conjunction


def _met(table: TermTable, p: Literal, q: Literal) -> Literal:
    """p & q."""
    while True:
        if p[0] is q[0]:
            return p if p[1] == q[1] else (table.constant(0, 1), False)
        step = _absorbed(p, q)
        if step is None:
            return _joined(table, p, q)
        if len(step) < 2:
            return step[0] if step else (table.constant(0, 1), False)
        p, q = step


def _joined(table: TermTable, p: Literal, q: Literal) -> Literal:
    if p[0].id > q[0].id:
        p, q = q, p
    if p[1] and q[1]:
        return table.make(Op.OR, 1, (p[0], q[0])), True
    return table.make(Op.AND, 1, (_term(table, p), _term(table, q))), False


def _absorbed(p: Literal, q: Literal) -> Step | None:
    one, other = _gate(p), _gate(q)
    step = _one_sided(p, one, q) if one else None
    if step is None and other:
        step = _one_sided(q, other, p)
    if step is None and one and other:
        step = _two_sided(p, one, q, other)
    return step


def _one_sided(whole: Literal, gate: Gate, literal: Literal) -> Step | None:
    is_conjunction, x, y = gate
    if x[0] is not literal[0]:
        if y[0] is not literal[0]:
            return None
        x, y = y, x
    is_same = x[1] == literal[1]
    if is_conjunction:
        return (whole,) if is_same else ()
    return (_flipped(y), literal) if is_same else (literal,)


def _two_sided(p: Literal, one: Gate, q: Literal, other: Gate) -> Step | None:
    if one[0] and other[0]:
        opposites = any(x[0] is y[0] and x[1] != y[1] for x in one[1:] for y in other[1:])
        return () if opposites else None
    if one[0]:
        return _narrowed(p, one, other)
    return _narrowed(q, other, one) if other[0] else _resolved(one, other)


def _narrowed(whole: Literal, conjunction: Gate, negation: Gate) -> Step | None:
    """(x & y) & ~(r & s)"""
    for x in conjunction[1:]:
        for r, s in (negation[1:], negation[:0:-1]):
            if x[0] is r[0]:
                return (whole, _flipped(s)) if x[1] == r[1] else (whole,)
    return None


def _resolved(one: Gate, other: Gate) -> Step | None:
    """~(x & y) & ~(x & ~y)"""
    for x, y in (one[1:], one[:0:-1]):
        for r, s in (other[1:], other[:0:-1]):
            if x[0] is r[0] and x[1] == r[1] and y[0] is s[0] and y[1] != s[1]:
                return (_flipped(x),)
    return None


# -- choices


def _under(value: Term, condition: Literal) -> Term:
    """A choice where `condition` holds, as far as that decides it."""
    for _ in range(LOOKED_AT):
        decided = _decides(condition, value.args[0])
        if decided is None:
            return value
        value = value.args[1] if decided else value.args[2]
        if value.op is not Op.ITE:
            return value
    return value


def _decides(condition: Literal, asked: Term) -> bool | None:
    """The value of `asked` if `condition` holds, from a few of its conjuncts; None if unknown."""
    waiting = [condition]
    for _ in range(LOOKED_AT):
        if not waiting:
            return None
        literal = waiting.pop()
        if literal[0] is asked:
            return not literal[1]
        gate = _gate(literal)
        if gate and gate[0]:
            waiting += gate[1:]
    return None


def _choose_truth(table: TermTable, c: Term, then: Term, otherwise: Term) -> Term:
    """Of conditions: c & then | ~c & otherwise."""
    (x, x_is_negated), (y, y_is_negated) = _literal(then), _literal(otherwise)
    if x is c or x.op is Op.CONSTANT:
        is_true = bool(x.number) if x.op is Op.CONSTANT else not x_is_negated
        return either(table, c, otherwise) if is_true else both(table, negate(table, c), otherwise)
    if y is c or y.op is Op.CONSTANT:
        is_true = bool(y.number) if y.op is Op.CONSTANT else y_is_negated
        return either(table, negate(table, c), then) if is_true else both(table, c, then)
    if x is y:  # then is ~otherwise
        return negate(table, differ(table, c, then))
    if x_is_negated and y_is_negated:
        return negate(table, table.make(Op.ITE, 1, (c, x, y)))
    return table.make(Op.ITE, 1, (c, then, otherwise))


def _choose_value(table: TermTable, c: Term, then: Term, otherwise: Term) -> Term:
    """A value that is chosen twice is chosen once, by a larger condition."""
    if otherwise.op is Op.ITE:
        d, x, y = otherwise.args
        if x is then:
            return choose(table, either(table, c, d), then, y)
        if y is then:
            return choose(table, either(table, c, negate(table, d)), then, x)
    if then.op is Op.ITE:
        d, x, y = then.args
        if y is otherwise:
            return choose(table, both(table, c, d), x, otherwise)
        if x is otherwise:
            return choose(table, both(table, c, negate(table, d)), y, otherwise)
    if then.op in _EXTENSIONS or otherwise.op in _EXTENSIONS:
        narrow = _choose_narrow(table, c, then, otherwise)
        if narrow is not None:
            return narrow
    return table.make(Op.ITE, then.bits, (c, then, otherwise), 0, then.is_float)


def _choose_narrow(table: TermTable, c: Term, then: Term, otherwise: Term) -> Term | None:
    """Between extended values, or one and a constant: the value is chosen first and extended then."""
    model = then if then.op in _EXTENSIONS else otherwise
    bits = model.args[0].bits
    x, y = _unextended(table, then, model.op, bits), _unextended(table, otherwise, model.op, bits)
    if x is None or y is None:
        return None
    return table.make(model.op, then.bits, (choose(table, c, x, y),))


def _unextended(table: TermTable, value: Term, op: Op, bits: int) -> Term | None:
    """The value of `bits` bits whose extension this is."""
    if value.op is op and value.args[0].bits == bits:
        return value.args[0]
    if value.op is not Op.CONSTANT:
        return None
    narrow, top = value.number & ((1 << bits) - 1), (1 << value.bits) - 1
    is_negative = op is Op.SIGN_EXTEND and narrow >> (bits - 1)
    extended = narrow | (top ^ ((1 << bits) - 1)) if is_negative else narrow
    return table.constant(narrow, bits) if extended == value.number else None
