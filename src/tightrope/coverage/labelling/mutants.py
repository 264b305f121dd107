"""Mutation operators that introduce no side effects: ABS, AOR, BOR, UOI, ROR, COR, COND and other left-hand sides.

A. J. Offutt et al., "An experimental determination of sufficient mutant operators", TOSEM 1996; P. Ammann and A. J.
Offutt, "Introduction to Software Testing", 2008. The operators of MuJava, for C:

    ABS     e as abs(e), as -abs(e), and as a mutant that fails if e is 0
    AOR     a + b as a - b, a * b, a / b, a % b, and as either operand alone
    BOR     a & b as a | b, a ^ b, and as either operand alone; a << b as a >> b, and as a
    AOIU    e as -e
    UOI     e as ~e, a condition c as !c
    ROR     a < b as a <= b, a > b, a >= b, a == b, a != b
    COR     a && b as a || b, and as either operand alone
    COND    a condition as true, as false
    LHS     x = e as y = e, for each other variable of x's type in scope; *p = e as *q = e, p->m = e as q->m = e,
            a[i] = e as b[i] = e and a[j] = e

Left out are mutants that always have another value, raised to the whole expression (`~e` in `x = ~e;`), because
reaching the expression would cover them. So are those that never have, by the types and the operators alone: `u >= 0`
as true for an unsigned u, `x + 0` as `x - 0`, `x * 1` as `x`, `if (x)` as `if (-x)`. Where a mutant would divide by 0,
or evaluate something that the program must not evaluate, it is undefined and not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tightrope.coverage.labelling.arithmetic import INT, Arithmetic, arithmetic, is_narrow_choice, is_pointer
from tightrope.coverage.labelling.evaluation import FunctionFacts, is_constant, strip_parentheses
from tightrope.coverage.labelling.mutant_effects import MutantEffect
from tightrope.coverage.labelling.predicates import (
    COMPARISONS,
    bracket,
    compute,
    converted,
    differ,
    is_truth,
    negate,
)
from tightrope.coverage.labelling.sites import Site
from tightrope.coverage.labelling.value_bounds import find_bounds, may_hold
from tightrope.program.c_text.syntax import SyntaxNode

_AOR = ("+", "-", "*", "/", "%")
OPERATORS = {  # an operator -> its kind of mutant, and what replaces it
    **dict.fromkeys(_AOR, ("aor", _AOR)),
    **dict.fromkeys(("&", "|", "^"), ("bor", ("&", "|", "^"))),
    **dict.fromkeys(("<<", ">>"), ("bor", ("<<", ">>"))),
}
# Where the right operand is this number, all of these are the left one alone (of integers); likewise the other way.
_SAME_AS_LEFT = {0: frozenset(("+", "-", "^", "|", "<<", ">>", "left")), 1: frozenset(("*", "/", "left"))}
_SAME_AS_RIGHT = {0: frozenset(("+", "^", "|", "right")), 1: frozenset(("*", "right"))}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutation of one expression; `what` distinguishes it from others of its kind."""

    kind: str
    what: str
    shown: str  # 'a <= b'
    effect: MutantEffect
    is_raised: bool = True  # False: its effect is not raised to the whole expression


def find_mutants(facts: FunctionFacts, site: Site) -> Iterator[Mutant]:
    """The mutants of one pure expression."""
    node, parent = site.node, site.parents[0][0] if site.parents else None
    if node.kind == "BinaryOperator" and not is_constant(node):
        yield from _binary(facts, node)
    if is_condition(site) and not is_constant(node):
        yield from _fixed(facts, node)
    kind = arithmetic(node.type)
    if kind and _is_operand(node, parent) and not is_truth(node) and not is_constant(node):
        is_sign_seen = not is_condition(site)
        yield from _absolute(facts, node, kind, is_sign_seen)
        if is_sign_seen:
            yield from _negated(facts, node, kind)
        if kind.is_whole:
            value = bracket(facts.text(node))
            yield Mutant("uoi", "~", f"~{bracket(facts.words(node))}", MutantEffect(node, "1", f"~{value}"))


def is_condition(site: Site) -> bool:
    """True if it only matters whether the expression is zero, and it is not made of other conditions."""
    node = site.node
    if node.kind == "ParenExpr" or (node.kind == "ImplicitCastExpr" and node.opcode != "LValueToRValue"):
        return False
    if site.parents and site.parents[0][0].opcode in ("LValueToRValue", "ArrayToPointerDecay"):
        return False  # not a value
    if node.kind.endswith("ConditionalOperator") or node.opcode in ("&&", "||", "!", ",", "="):
        return False
    is_through = ("ParenExpr", "ImplicitCastExpr")
    user = next(((parent, at) for parent, at in site.parents if parent.kind not in is_through), None)
    if user is None:
        return site.whole.is_tested
    parent, at = user
    return parent.opcode in ("&&", "||", "!") or (parent.kind == "ConditionalOperator" and at == 0)


def _fixed(facts: FunctionFacts, node: SyntaxNode) -> Iterator[Mutant]:
    """COND: true, false; UOI: the opposite."""
    text = facts.text(node)
    if may_be(node, False):
        yield Mutant("cond", "true", "1", MutantEffect(node, f"!({text})", "1"))
    if may_be(node, True):
        yield Mutant("cond", "false", "0", MutantEffect(node, f"({text})", "0"))
    yield Mutant("uoi", "!", f"!{bracket(facts.words(node))}", MutantEffect(node, "1", f"!({text})"))


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def may_be(node: SyntaxNode, truth: bool) -> bool:
    """False if the types of the operands exclude that a condition has this value."""
    left, right = (*node.children, None, None)[:2]
    if node.kind != "BinaryOperator" or node.opcode not in COMPARISONS or not left or not right:
        return True
    return may_hold(left, node.opcode if truth else _OPPOSITE[node.opcode], right)


def _is_operand(node: SyntaxNode, parent: SyntaxNode | None) -> bool:
    """A variable that is read or an arithmetic expression, after C has widened it to int."""
    if parent and parent.kind == "ImplicitCastExpr" and parent.opcode == "IntegralCast" and _is_widened(node, parent):
        return False
    if node.kind == "ImplicitCastExpr" and node.opcode == "IntegralCast":
        inner = node.children[0]
        return bool(inner and _is_widened(inner, node) and _is_operand(inner, None))
    is_read = node.kind == "ImplicitCastExpr" and node.opcode == "LValueToRValue"
    return is_read or (node.kind == "BinaryOperator" and node.opcode in (*_AOR, "&", "|", "^", "<<", ">>"))


def _is_widened(inner: SyntaxNode, outer: SyntaxNode) -> bool:
    """True if an integer promotion widened it; _Bool and enums are not mutated."""
    one, other = arithmetic(inner.type), arithmetic(outer.type)
    return bool(one and other and one.is_whole and one.rank < INT <= other.rank)


def _absolute(facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic, is_sign_seen: bool) -> Iterator[Mutant]:
    """ABS: |e|, -|e|, and e that must not be 0. |MIN| does not exist: it counts as another value."""
    text = facts.text(node)
    value = bracket(text)
    low, high = find_bounds(node) or (-1, 1)
    if kind.is_signed and is_sign_seen:
        minus = negate(kind, text)
        above, below = f"{value} < 0 ? {minus} : {value}", f"{value} < 0 ? {value} : {minus}"
        if low < 0:
            yield Mutant("abs", "abs", f"abs({facts.words(node)})", MutantEffect(node, f"{value} < 0", above))
        if high > 0:
            yield Mutant("abs", "-abs", f"-abs({facts.words(node)})", MutantEffect(node, f"{value} > 0", below))
    if low <= 0 <= high:
        shown = f"{facts.words(node)}, which must not be 0"
        yield Mutant("abs", "zero", shown, MutantEffect(node, f"{value} == 0"), is_raised=False)


def _negated(facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic) -> Iterator[Mutant]:
    """AOIU: -e."""
    text = facts.text(node)
    value, minus = bracket(text), negate(kind, text)
    wraps = kind.is_whole and not kind.is_signed
    differs = f"{value} != {minus}" if wraps else f"{value} != 0"
    yield Mutant("aoiu", "-", f"-{bracket(facts.words(node))}", MutantEffect(node, differs, minus))


def _binary(facts: FunctionFacts, node: SyntaxNode) -> Iterator[Mutant]:
    left, right = node.children
    if not left or not right:
        return
    kind = arithmetic(node.type)
    if node.opcode in COMPARISONS:
        yield from _relational(facts, node, left, right)
    elif node.opcode in OPERATORS and kind and arithmetic(left.type) and arithmetic(right.type):
        yield from _arithmetic(facts, node, kind, left, right)
    elif node.opcode in ("&&", "||"):
        yield from _connector(facts, node, left, right)


def _arithmetic(
    facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic, left: SyntaxNode, right: SyntaxNode
) -> Iterator[Mutant]:
    """AOR and BOR: every other operator, and either operand alone."""
    texts = facts.text(left), facts.text(right)
    own = compute(kind, node.opcode, *texts)
    name, others = OPERATORS[node.opcode]
    shifts = _shift_needs(facts, kind, right) if node.opcode in ("<<", ">>") else ()
    for opcode in others:
        if opcode == node.opcode or is_same(node, kind, opcode) or _is_undefined(kind, opcode, right):
            continue
        value = compute(kind, opcode, *texts)
        effect = MutantEffect(
            node,
            differ(facts.text(node), value.text, node.type),
            value.text,
            (*own.needs, *shifts, *value.needs),
        )
        yield Mutant(name, opcode, _shown(facts, left, opcode, right), effect)
    for what, operand in (("left", left), ("right", right)):
        if not is_same(node, kind, what) and (what == "left" or node.opcode not in ("<<", ">>")):
            value_text = f"({kind.name}){bracket(facts.text(operand))}"
            differs = differ(facts.text(node), value_text, node.type)
            effect = MutantEffect(node, differs, value_text, (*own.needs, *shifts))
            yield Mutant(name, what, _shown_alone(facts, kind, operand), effect)


def _shown_alone(facts: FunctionFacts, kind: Arithmetic, operand: SyntaxNode) -> str:
    """An operand in place of the whole, whose type it has."""
    inner, words = arithmetic(strip_parentheses(operand).type), facts.words(operand)
    return words if inner and inner.name == kind.name else f"({kind.name}){bracket(words)}"


def _is_undefined(kind: Arithmetic, opcode: str, right: SyntaxNode) -> bool:
    """True for `x % 2.0`, and for a division by the constant 0."""
    if kind.is_real:
        return opcode == "%"
    return opcode in ("/", "%") and find_bounds(right) == (0, 0)


def _shift_needs(facts: FunctionFacts, kind: Arithmetic, right: SyntaxNode) -> tuple[str, ...]:
    by = bracket(facts.text(right))
    return () if is_constant(right) else (f"{by} >= 0", f"{by} < {kind.width}")


def is_same(node: SyntaxNode, kind: Arithmetic, what: str) -> bool:
    """True if the mutant has the value of the original whatever the operands are."""
    left, right = (find_bounds(each) for each in node.children if each)
    if kind.is_real:
        return False
    is_left = right is not None and right[0] == right[1] and {node.opcode, what} <= _SAME_AS_LEFT.get(right[0], set())
    is_right = left is not None and left[0] == left[1] and {node.opcode, what} <= _SAME_AS_RIGHT.get(left[0], set())
    return is_left or is_right


def _shown(facts: FunctionFacts, left: SyntaxNode, opcode: str, right: SyntaxNode) -> str:
    return f"{bracket(facts.words(left))} {opcode} {bracket(facts.words(right))}"


# The relation under which two relations between integers differ: a < b and a <= b differ if a == b.
_APART = {
    ("<", "<="): "==", ("<", ">"): "!=", ("<", ">="): "", ("<", "=="): "<=", ("<", "!="): ">",
    ("<=", "<"): "==", ("<=", ">"): "", ("<=", ">="): "!=", ("<=", "=="): "<", ("<=", "!="): ">=",
    (">", "<"): "!=", (">", "<="): "", (">", ">="): "==", (">", "=="): ">=", (">", "!="): "<",
    (">=", "<"): "", (">=", "<="): "!=", (">=", ">"): "==", (">=", "=="): ">", (">=", "!="): "<=",
    ("==", "<"): "<=", ("==", "<="): "<", ("==", ">"): ">=", ("==", ">="): ">", ("==", "!="): "",
    ("!=", "<"): ">", ("!=", "<="): ">=", ("!=", ">"): "<", ("!=", ">="): "<=", ("!=", "=="): "",
}  # fmt: skip


def can_differ(node: SyntaxNode, opcode: str) -> bool:
    """False if the types of the operands exclude that another relation has another value."""
    left, right = node.children
    assert left and right
    kind, apart = arithmetic(left.type), _APART[node.opcode, opcode]
    return not (apart and kind and kind.is_whole) or may_hold(left, apart, right)


def _relational(facts: FunctionFacts, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode) -> Iterator[Mutant]:
    """ROR: every other relation; for pointers compared with == or !=, only the other of the two."""
    a, b = bracket(facts.text(left)), bracket(facts.text(right))
    kind = arithmetic(left.type)
    is_order = kind is not None or node.opcode not in ("==", "!=")
    for opcode in COMPARISONS if is_order else ("==", "!="):
        if opcode == node.opcode:
            continue
        if not can_differ(node, opcode):
            continue
        apart = _APART[node.opcode, opcode]
        differs = f"{a} {apart} {b}" if apart else "1"
        if kind and kind.is_real:
            differs = f"({a} {node.opcode} {b}) != ({a} {opcode} {b})"
        yield Mutant(
            "ror", opcode, _shown(facts, left, opcode, right), MutantEffect(node, differs, f"{a} {opcode} {b}")
        )


def _connector(facts: FunctionFacts, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode) -> Iterator[Mutant]:
    """COR: the other connector, or one operand alone. A mutant that evaluates the right operand where the program does
    not is left out, unless the operand is always defined. Where the right operand may not be evaluated, the other
    connector is equivalent to the left operand alone."""
    a, b = facts.text(left), facts.text(right)
    is_and = node.opcode == "&&"
    passes, stops = (f"({a})", f"!({b})") if is_and else (f"!({a})", f"({b})")
    left_only = f"{passes} && {stops}"
    one, other = (strip_parentheses(each) for each in (left, right))
    has_left = may_be(one, is_and) and may_be(other, not is_and)
    has_right = may_be(one, not is_and) and may_be(other, is_and)
    is_safe = facts.is_always_safe(right) and (bool(facts.kept) or not facts.disturbs(facts.effects(left), right))
    shown = "||" if is_and else "&&"
    if is_safe and (has_left or has_right):
        yield Mutant("cor", shown, _shown(facts, left, shown, right), MutantEffect(node, f"!({a}) != !({b})"))
    if has_left:
        yield Mutant("cor", "left", _truth(left, facts.words(left)), MutantEffect(node, left_only))
    if is_safe and has_right:
        right_only = f"!({a}) && ({b})" if is_and else f"({a}) && !({b})"
        yield Mutant("cor", "right", _truth(right, facts.words(right)), MutantEffect(node, right_only))


def find_connectors(facts: FunctionFacts, node: SyntaxNode, *, is_behind_left: bool) -> Iterator[Mutant]:
    """COR where an operand has side effects. Behind the left operand, the right one may be evaluated as the program
    would evaluate it now. Behind the right one, it is known that the left one did not decide."""
    left, right = node.children
    assert left and right
    if is_behind_left:
        yield from _connector(facts, node, left, right)
        return
    b = facts.text(right)
    differs = f"!({b})" if node.opcode == "&&" else f"({b})"
    yield Mutant("cor", "left", _truth(left, facts.words(left)), MutantEffect(node, differs))


def _truth(node: SyntaxNode, text: str) -> str:
    return text if is_truth(node) else f"!!{bracket(text)}"


@dataclass(frozen=True, slots=True)
class OtherTarget:
    """Something else that an assignment could write to. `needs` exclude that it is the same object, or none."""

    text: str
    has_value: bool
    needs: tuple[str, ...] = ()


def find_targets(
    facts: FunctionFacts, node: SyntaxNode, others: Iterable[OtherTarget], has_value: bool
) -> Iterator[Mutant]:
    """Left-hand sides: `x = e` as `y = e`, for each other target of x's type (Theorem 2, third case).

    An old value is compared only if it is initialised; `has_value` says so of x.
    """
    target, value = node.children
    assert target and value
    own, stored = facts.text(strip_parentheses(target)), bracket(converted(facts, value))
    for other in others:
        olds = [text for text, is_valued in ((own, has_value), (other.text, other.has_value)) if is_valued]
        differs = " || ".join(f"{old} != {stored}" for old in olds)
        if differs:
            shown = f"{other.text} = {facts.words(value)}"
            effect = MutantEffect(node, differs, needs=other.needs)
            yield Mutant("lhs", other.text, shown, effect, is_raised=False)


def is_assignable(type_: str) -> bool:
    """True if variables of the type can be compared and the type can be written in a cast."""
    return arithmetic(type_) is not None or is_narrow_choice(type_) or (is_pointer(type_) and "(" not in type_)
