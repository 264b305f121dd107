"""The predicates of labels, as C text that is safe to evaluate at the place of the label.

bracket         a + b                 ->  (a + b)
compute         INT_MAX + 1 in int    ->  (int)((unsigned int)a + (unsigned int)b)
divisions       a / b                 ->  b != 0, !(a == INT_MIN && b == -1)
differ          two values of a type  ->  a != b, where all NaNs are equal
join            several claims        ->  (a) && (b)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tightrope.coverage.labelling.arithmetic import Arithmetic, arithmetic
from tightrope.coverage.labelling.evaluation import FunctionFacts, evaluated_parts, strip_parentheses
from tightrope.program.c_text.syntax import SyntaxNode

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_POSTFIX = re.compile(r"\w+(?:(?:->|\.)\w+|\[\w+\])*")


def bracket(text: str) -> str:
    """The text in parentheses, unless it can be an operand without them."""
    return text if _POSTFIX.fullmatch(text) or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """True for `(...)` whose first parenthesis matches the last. Parentheses in literals only add a redundant pair."""
    if not text.startswith("(") or not text.endswith(")"):
        return False
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return at == len(text) - 1
    return False


@dataclass(frozen=True, slots=True)
class GuardedValue:
    """A C expression that is defined if its needs hold."""

    text: str
    needs: tuple[str, ...] = ()


def compute(kind: Arithmetic, opcode: str, left: str, right: str) -> GuardedValue:
    """`left opcode right` where no value of the operands makes it undefined, given its needs."""
    left, right = bracket(left), bracket(right)
    if opcode in ("/", "%"):
        return GuardedValue(f"{left} {opcode} {right}", _division_needs(kind, left, right))
    if opcode in ("+", "-", "*", "<<") and kind.overflows:
        other = right if opcode == "<<" else f"({kind.unsigned}){right}"
        return GuardedValue(f"({kind.name})(({kind.unsigned}){left} {opcode} {other})")
    return GuardedValue(f"{left} {opcode} {right}")


def _division_needs(kind: Arithmetic, left: str, right: str) -> tuple[str, ...]:
    if kind.is_real:
        return ()
    if re.fullmatch(r"[1-9]\d*[uUlL]*|0[xX]0*[1-9a-fA-F][\da-fA-F]*[uUlL]*", right):
        return ()
    is_divisible = f"{right} != 0"
    return (is_divisible, f"!({left} == {kind.minimum} && {right} == -1)") if kind.overflows else (is_divisible,)


def negate(kind: Arithmetic, text: str) -> str:
    """`-text`, which wraps on overflow."""
    return f"({kind.name})-({kind.unsigned}){bracket(text)}" if kind.overflows else f"({kind.name})-{bracket(text)}"


def divisions(facts: FunctionFacts, node: SyntaxNode) -> tuple[str, ...]:
    """What must hold for the divisions in a pure expression to be defined."""

    def need(each: SyntaxNode) -> tuple[str, ...]:
        kind = arithmetic(each.type)
        if each.kind != "BinaryOperator" or each.opcode not in ("/", "%") or not kind:
            return ()
        return compute(kind, each.opcode, *(facts.text(part) for part in each.children if part)).needs

    return needs_inside(facts, node, need)


def needs_inside(facts: FunctionFacts, node: SyntaxNode, own: Callable[[SyntaxNode], Iterable[str]]) -> tuple[str, ...]:
    """The needs of the parts of a pure expression, operands first, each under the condition that it is evaluated."""
    found: list[str] = []
    first = facts.text(node.children[0]) if node.children and node.children[0] else ""
    for part in evaluated_parts(node):
        at = next(at for at, each in enumerate(node.children) if each is part)
        excuse = _not_evaluated(node, at, first)
        found += [f"{excuse} || {_operand(need)}" if excuse else need for need in needs_inside(facts, part, own)]
    return tuple(dict.fromkeys((*found, *own(node))))


def _not_evaluated(node: SyntaxNode, at: int, first: str) -> str:
    """The condition under which the operand at this position is not evaluated; '' if it always is."""
    if not at:
        return ""
    if node.kind == "BinaryOperator" and node.opcode in ("&&", "||"):
        return f"!({first})" if node.opcode == "&&" else f"({first})"
    if node.kind == "ConditionalOperator":
        return f"!({first})" if at == 1 else f"({first})"
    return f"({first})" if node.kind == "BinaryConditionalOperator" else ""


def differ(one: str, other: str, type_: str) -> str:
    """Two values differ; all NaNs are equal."""
    kind, one, other = arithmetic(type_), bracket(one), bracket(other)
    if kind and kind.is_real:
        return f"{one} != {other} && ({one} == {one} || {other} == {other})"
    return f"{one} != {other}"


def join(parts: tuple[str, ...]) -> str:
    """The conjunction of all parts; `1` is left out."""
    kept = list(dict.fromkeys(part for part in parts if part not in ("1", "(1)"))) or ["1"]
    return kept[0] if len(kept) == 1 else " && ".join(_operand(part) for part in kept)


def _operand(text: str) -> str:
    return text if _is_bracketed(text.removeprefix("!")) or _POSTFIX.fullmatch(text) else f"({text})"


def is_truth(node: SyntaxNode) -> bool:
    """True when the value of the expression is 0 or 1."""
    inner = strip_parentheses(node)
    is_operator = inner.kind == "BinaryOperator" and inner.opcode in (*COMPARISONS, "&&", "||")
    return is_operator or inner.type == "_Bool" or (inner.kind == "UnaryOperator" and inner.opcode == "!")


def converted(facts: FunctionFacts, node: SyntaxNode) -> str:
    """The node's text, with a cast where C converts implicitly."""
    text = facts.text(node)
    is_silent = node.kind == "ImplicitCastExpr" and node.opcode not in ("LValueToRValue", "NoOp")
    return f"({node.type}){bracket(text)}" if is_silent and arithmetic(node.type) else text
