"""Mutation operators without side effects: ABS, AOR, AOIU, ROR, COR and other left-hand sides.

A. J. Offutt et al., "An experimental determination of sufficient mutant operators", TOSEM 1996; P. Ammann and A. J.
Offutt, "Introduction to Software Testing", 2008. The operators of MuJava, for C:

    ABS     e as abs(e), as -abs(e), and as a mutant that fails if e is 0
    AOR     a + b as a - b, a * b, a / b, a % b
    AOIU    e as -e
    ROR     a < b as a <= b, a > b, a >= b, a == b, a != b
    COR     a && b as a || b, and as either operand alone
    LHS     x = e as y = e, for each other variable of x's type in scope

Mutants that always have another value (`~e`, `e + 1`, `!c`) are left out: reaching the expression would cover them.
Where a mutant would divide by 0, or evaluate something that the program must not evaluate, it is undefined and not
compared.
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
from tightrope.program.c_text.syntax import SyntaxNode

_AOR = ("+", "-", "*", "/", "%")


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
    kind = arithmetic(node.type)
    if kind and _is_operand(node, parent) and not is_truth(node) and not is_constant(node):
        yield from _absolute(facts, node, kind)
        yield from _negated(facts, node, kind)


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


def _absolute(facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic) -> Iterator[Mutant]:
    """ABS: |e|, -|e|, and e that must not be 0. |MIN| does not exist: it counts as another value."""
    text = facts.text(node)
    value = bracket(text)
    if kind.is_signed:
        minus = negate(kind, text)
        above, below = f"{value} < 0 ? {minus} : {value}", f"{value} < 0 ? {value} : {minus}"
        yield Mutant("abs", "abs", f"abs({facts.words(node)})", MutantEffect(node, f"{value} < 0", above))
        yield Mutant("abs", "-abs", f"-abs({facts.words(node)})", MutantEffect(node, f"{value} > 0", below))
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
    elif node.opcode in _AOR and kind and arithmetic(left.type) and arithmetic(right.type):
        yield from _arithmetic(facts, node, kind, left, right)
    elif node.opcode in ("&&", "||"):
        yield from _connector(facts, node, left, right)


def _arithmetic(
    facts: FunctionFacts, node: SyntaxNode, kind: Arithmetic, left: SyntaxNode, right: SyntaxNode
) -> Iterator[Mutant]:
    """AOR: every other operator."""
    texts = facts.text(left), facts.text(right)
    own = compute(kind, node.opcode, *texts)
    for opcode in _AOR:
        if opcode == node.opcode or (opcode == "%" and kind.is_real):
            continue
        value = compute(kind, opcode, *texts)
        needs = (*own.needs, *value.needs)
        differs = differ(facts.text(node), value.text, node.type)
        shown = _shown(facts, left, opcode, right)
        yield Mutant("aor", opcode, shown, MutantEffect(node, differs, value.text, needs))


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


def _relational(facts: FunctionFacts, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode) -> Iterator[Mutant]:
    """ROR: every other relation; for pointers compared with == or !=, only the other of the two."""
    a, b = bracket(facts.text(left)), bracket(facts.text(right))
    kind = arithmetic(left.type)
    is_order = kind is not None or node.opcode not in ("==", "!=")
    for opcode in COMPARISONS if is_order else ("==", "!="):
        if opcode == node.opcode:
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
    is_safe = facts.is_always_safe(right) and (bool(facts.kept) or not facts.disturbs(facts.effects(left), right))
    shown = "||" if is_and else "&&"
    if is_safe:
        yield Mutant("cor", shown, _shown(facts, left, shown, right), MutantEffect(node, f"!({a}) != !({b})"))
    yield Mutant("cor", "left", _truth(left, facts.words(left)), MutantEffect(node, left_only))
    if is_safe:
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


def find_targets(facts: FunctionFacts, node: SyntaxNode, others: Iterable[SyntaxNode]) -> Iterator[Mutant]:
    """Left-hand sides: `x = e` as `y = e`, for each other variable of x's type (Theorem 2, third case).

    Two variables have different addresses. An old value is compared only if the variable is initialised.
    """
    target, value = node.children
    assert target and value
    own, stored = strip_parentheses(target), bracket(converted(facts, value))
    for other in others:
        olds = [each.name for each in (own, other) if facts.has_value(each.declaration)]
        differs = " || ".join(f"{old} != {stored}" for old in olds)
        if differs:
            shown = f"{other.name} = {facts.words(value)}"
            yield Mutant("lhs", other.name, shown, MutantEffect(node, differs), is_raised=False)


def is_assignable(type_: str) -> bool:
    """True if variables of the type can be compared and the type can be written in a cast."""
    return arithmetic(type_) is not None or is_narrow_choice(type_) or (is_pointer(type_) and "(" not in type_)
