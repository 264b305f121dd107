"""Expressions with side effects: their operands are kept in temporaries, and labels about them stand behind them.

    while (i++ < n && p)      while (then((t1 = (i++)) < (t2 = (n)), LABELS) && p)     as `i++ <= n`: t1 == t2

So nothing is evaluated twice, and the order of evaluation stays (see program/marks/anchors.py, which writes this text).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tightrope.coverage.labelling.arithmetic import arithmetic, is_pointer
from tightrope.coverage.labelling.evaluation import (
    FunctionFacts,
    is_constant,
    is_expectation,
    is_pure,
    strip_parentheses,
)
from tightrope.coverage.labelling.predicates import bracket
from tightrope.coverage.labelling.sites import LabelPlace, Site, function_body
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.anchors import POINTER, VALUE_TYPES
from tightrope.program.marks.labels import Form, Temporary
from tightrope.program.marks.marks import TEMPORARY

_RAISABLE = frozenset(("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr", "UnaryOperator"))


@dataclass(frozen=True, slots=True)
class KeptOperands:
    """The place behind an expression, and the facts whose texts name temporaries in place of its operands."""

    facts: FunctionFacts
    place: LabelPlace
    height: int  # number of the site's parents to which effects can be raised there


def keep_operands(facts: FunctionFacts, site: Site) -> KeptOperands | None:
    """The place behind a comparison or an arithmetic operation; None if a type of it cannot be kept."""
    node, value_type = site.node, _type_of_value(site.node)
    operands = [each for each in node.children if each]
    kept = [None if is_constant(each) else _temporary(facts, each, _kept_type(each)) for each in operands]
    if not value_type or any(each is None and not is_constant(one) for each, one in zip(kept, operands, strict=True)):
        return None
    names = {(one.start, one.end): each.name for each, one in zip(kept, operands, strict=True) if each}
    own = facts.with_kept(names)
    whole = f" {node.opcode} ".join(bracket(own.text(each)) for each in operands)
    place = _behind(facts, node, value_type, [each for each in kept if each])
    return KeptOperands(facts.with_kept({**names, (node.start, node.end): whole}), place, _height(site))


def keep_truth(facts: FunctionFacts, node: SyntaxNode) -> KeptOperands | None:
    """The place behind an operand of `&&` or `||`, whose truth is kept. None for an operand that consists of several
    conditions: it jumps to where its truth leads, and has no value."""
    tested, inner, signs = node, strip_parentheses(node), ""
    while inner.opcode == "!" and inner.children[0]:
        tested, inner, signs = inner.children[0], strip_parentheses(inner.children[0]), f"!{signs}"
    is_compound = inner.kind.endswith("ConditionalOperator") or inner.opcode in ("&&", "||", ",")
    if is_compound or is_expectation(inner) or not _kept_type(inner):
        return None
    kept = _temporary(facts, inner, "_Bool")
    assert kept
    kept = replace(kept, promoted=_promoted(tested))
    place = _behind(facts, inner, "_Bool", [kept])
    return KeptOperands(facts.with_kept({(node.start, node.end): f"{signs}{kept.name}"}), place, 0)


def keep_value(facts: FunctionFacts, node: SyntaxNode) -> KeptOperands | None:
    """The place behind an operand, before the operation that uses its value; None if its type cannot be kept."""
    type_ = _kept_type(node)
    kept = _temporary(facts, node, type_) if type_ in VALUE_TYPES else None
    if not kept:
        return None
    place = _behind(facts, node, type_, [kept])
    return KeptOperands(facts.with_kept({(node.start, node.end): kept.name}), place, 0)


def keep_both(facts: FunctionFacts, node: SyntaxNode) -> KeptOperands | None:
    """The place behind the right operand, which clang evaluates after the left one, and before the operation."""
    left, right = node.children
    right_kept = keep_value(facts, right) if right else None
    left_kept = _temporary(facts, left, _kept_type(left)) if left else None
    if not left or not right_kept or not left_kept:
        return None
    place = replace(right_kept.place, temporaries=(left_kept, *right_kept.place.temporaries))
    return KeptOperands(facts.with_kept({**right_kept.facts.kept, (left.start, left.end): left_kept.name}), place, 0)


def _type_of_value(node: SyntaxNode) -> str:
    """The type of the function that puts labels behind the value; '' if there is none."""
    if node.opcode in ("<", "<=", ">", ">=", "==", "!="):
        return "_Bool"
    kind = arithmetic(node.type)
    return kind.name if kind and kind.name in VALUE_TYPES else ""


def _promoted(node: SyntaxNode) -> str:
    """The type to which an operand of `&&` is promoted."""
    while node.kind == "ParenExpr" and node.children[0]:
        node = node.children[0]
    return node.type if node.kind == "ImplicitCastExpr" and node.opcode == "IntegralCast" else ""


def _kept_type(node: SyntaxNode) -> str:
    kind = arithmetic(node.type)
    if kind:
        return kind.name
    return POINTER if is_pointer(node.type) else "_Bool" if node.type == "_Bool" else ""


def _temporary(facts: FunctionFacts, node: SyntaxNode, type_: str) -> Temporary | None:
    body = function_body(facts.syntax.root)
    if not type_ or not body:
        return None
    word = VALUE_TYPES.get(type_) or ("pointer" if type_ == POINTER else type_.replace(" ", "_"))
    name = f"{TEMPORARY}{node.start}_{node.end}_{word}"
    return Temporary(name, type_, body.start + 1, bracket(facts.words(node)), captures=(node.start, node.end))


def _behind(facts: FunctionFacts, node: SyntaxNode, type_: str, kept: Iterable[Temporary]) -> LabelPlace:
    return LabelPlace(
        Form.VALUE, node.start, node.end, node.location, node.is_in_macro, temporaries=tuple(kept), value_type=type_
    )


def _height(site: Site) -> int:
    """How far an effect can be raised by what is known right behind the expression: through operators that have no
    other operand, and through `&&` and `||` whose other operand can be evaluated there."""
    for height, (parent, at) in enumerate(site.parents):
        is_logical = parent.kind == "BinaryOperator" and parent.opcode in ("&&", "||")
        other = parent.children[1] if is_logical and not at else None
        is_raised = is_logical and (other is None or is_pure(other))
        if not is_raised and parent.kind not in _RAISABLE:
            return height
    return len(site.parents)
