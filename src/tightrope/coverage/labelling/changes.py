"""Changes: what a mutant does to the value of an expression, raised from the place of the mutation to the whole.

Theorem 2 of paper 002 compares states right after the mutated location: the whole condition, or the whole value that is
assigned, returned or passed. So the difference in `a < b` of

    if (a < b && c)           `a == b` for the mutant a <= b

is raised: `(a == b) && (c)`. It is raised as far as that can be said without evaluating what the program would not
evaluate: `p->x` in `p && p->x` only where p is true. An index, a pointer or an argument that differs is a difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tightrope.coverage.labelling.arithmetic import INT, Arithmetic, arithmetic
from tightrope.coverage.labelling.evaluation import (
    FunctionFacts,
    evaluated_parts,
    is_assignment,
    is_pure,
    strip_parentheses,
)
from tightrope.coverage.labelling.sites import Site
from tightrope.program.c_text.syntax import SyntaxNode

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_POSTFIX = re.compile(r"\w+(?:(?:->|\.)\w+|\[\w+\])*")


def bracket(text: str) -> str:
    """The text as an operand of anything."""
    return text if _POSTFIX.fullmatch(text) or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """`(...)`, where the first bracket is closed by the last. Literals with brackets only cost a pair more."""
    if not text.startswith("(") or not text.endswith(")"):
        return False
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return at == len(text) - 1
    return False


@dataclass(frozen=True, slots=True)
class Change:
    """`differs` holds when the node has another value in the mutant."""

    node: SyntaxNode
    differs: str
    changed: str | None = None  # the value in the mutant, in the node's type; None when nobody can write it
    needs: tuple[str, ...] = ()  # without which `differs` and `changed` may be undefined


@dataclass(frozen=True, slots=True)
class Value:
    """C that computes something, once its needs hold."""

    text: str
    needs: tuple[str, ...] = ()


def compute(kind: Arithmetic, opcode: str, left: str, right: str) -> Value:
    """`left opcode right` where no value of the operands makes it undefined, given its needs."""
    left, right = bracket(left), bracket(right)
    if opcode in ("/", "%"):
        return Value(f"{left} {opcode} {right}", _division_needs(kind, left, right))
    if opcode in ("+", "-", "*", "<<") and kind.overflows:
        other = right if opcode == "<<" else f"({kind.unsigned}){right}"
        return Value(f"({kind.name})(({kind.unsigned}){left} {opcode} {other})")
    return Value(f"{left} {opcode} {right}")


def _division_needs(kind: Arithmetic, left: str, right: str) -> tuple[str, ...]:
    if kind.is_real:
        return ()
    if re.fullmatch(r"[1-9]\d*[uUlL]*|0[xX]0*[1-9a-fA-F][\da-fA-F]*[uUlL]*", right):
        return ()
    is_zero = f"{right} != 0"
    return (is_zero, f"!({left} == {kind.minimum} && {right} == -1)") if kind.overflows else (is_zero,)


def negate(kind: Arithmetic, text: str) -> str:
    """`-text`, which wraps where it does not fit."""
    return f"({kind.name})-({kind.unsigned}){bracket(text)}" if kind.overflows else f"({kind.name})-{bracket(text)}"


def divisions(facts: FunctionFacts, node: SyntaxNode) -> tuple[str, ...]:
    """What must hold for the divisions in a pure expression."""

    def need(each: SyntaxNode) -> tuple[str, ...]:
        kind = arithmetic(each.type)
        if each.kind != "BinaryOperator" or each.opcode not in ("/", "%") or not kind:
            return ()
        return compute(kind, each.opcode, *(facts.text(part) for part in each.children if part)).needs

    return needs_inside(facts, node, need)


def needs_inside(facts: FunctionFacts, node: SyntaxNode, own: Callable[[SyntaxNode], Iterable[str]]) -> tuple[str, ...]:
    """What the parts of a pure expression need, operands first, each only where it is evaluated."""
    found: list[str] = []
    first = facts.text(node.children[0]) if node.children and node.children[0] else ""
    for part in evaluated_parts(node):
        at = next(at for at, each in enumerate(node.children) if each is part)
        excuse = _not_evaluated(node, at, first)
        found += [f"{excuse} || {_operand(need)}" if excuse else need for need in needs_inside(facts, part, own)]
    return tuple(dict.fromkeys((*found, *own(node))))


def _not_evaluated(node: SyntaxNode, at: int, first: str) -> str:
    """When the operand at this position is left out; '' when it never is."""
    if not at:
        return ""
    if node.kind == "BinaryOperator" and node.opcode in ("&&", "||"):
        return f"!({first})" if node.opcode == "&&" else f"({first})"
    if node.kind == "ConditionalOperator":
        return f"!({first})" if at == 1 else f"({first})"
    return f"({first})" if node.kind == "BinaryConditionalOperator" else ""


def differ(one: str, other: str, type_: str) -> str:
    """Two values are not the same; a NaN is the same as another."""
    kind, one, other = arithmetic(type_), bracket(one), bracket(other)
    if kind and kind.is_real:
        return f"{one} != {other} && ({one} == {one} || {other} == {other})"
    return f"{one} != {other}"


def join(parts: tuple[str, ...]) -> str:
    """All of them; `1` counts for nothing."""
    kept = list(dict.fromkeys(part for part in parts if part not in ("1", "(1)"))) or ["1"]
    return kept[0] if len(kept) == 1 else " && ".join(_operand(part) for part in kept)


def _operand(text: str) -> str:
    return text if _is_bracketed(text.removeprefix("!")) or _POSTFIX.fullmatch(text) else f"({text})"


def is_truth(node: SyntaxNode) -> bool:
    """Its value is 0 or 1."""
    inner = strip_parentheses(node)
    is_operator = inner.kind == "BinaryOperator" and inner.opcode in (*COMPARISONS, "&&", "||")
    return is_operator or inner.type == "_Bool" or (inner.kind == "UnaryOperator" and inner.opcode == "!")


def converted(facts: FunctionFacts, node: SyntaxNode) -> str:
    """The node's text in its own type, where C converts without a word."""
    text = facts.text(node)
    is_silent = node.kind == "ImplicitCastExpr" and node.opcode not in ("LValueToRValue", "NoOp")
    return f"({node.type}){bracket(text)}" if is_silent and arithmetic(node.type) else text


def raise_change(facts: FunctionFacts, site: Site, height: int, change: Change) -> Change:
    """The change of the full expression, or of the part up to which it can be said: at most `height` parents up."""
    for parent, at in site.parents[:height]:
        raised = _Step(facts, change, parent, at).take()
        if raised is None:
            return change
        change = raised
        if is_assignment(parent):
            return change
    is_tested = site.whole.is_tested and height == len(site.parents)
    return (test(facts, change) or change) if is_tested else change


def test(facts: FunctionFacts, change: Change) -> Change | None:
    """The change of the truth of a value; None when nobody can write it."""
    if is_truth(change.node):
        return change
    if change.changed is None:
        return None
    needs = (*change.needs, *divisions(facts, change.node))
    return Change(change.node, f"!({facts.text(change.node)}) != !({change.changed})", needs=needs)


@dataclass(frozen=True, slots=True)
class _Step:
    """From an operand to what it is an operand of. Each part answers None when the change cannot be raised."""

    facts: FunctionFacts
    change: Change
    parent: SyntaxNode
    at: int

    def take(self) -> Change | None:
        match self.parent.kind:
            case "ParenExpr":
                return replace(self.change, node=self.parent)
            case "ImplicitCastExpr" | "CStyleCastExpr":
                return self._cast()
            case "UnaryOperator":
                return self._unary()
            case "BinaryOperator":
                return self._binary()
            case "ConditionalOperator":
                return self._choice()
            case "CompoundAssignOperator":
                return self._update()
        return None

    def _cast(self) -> Change | None:
        into, out_of = arithmetic(self.parent.type), arithmetic(self.change.node.type)
        if self.parent.opcode.endswith("ToBoolean"):
            return self._moved(test(self.facts, self.change))
        if self.parent.opcode == "NoOp":
            return replace(self.change, node=self.parent)
        if not into or not out_of or self.parent.opcode == "FloatingToIntegral" or self.change.changed is None:
            is_wider = bool(into and into.is_whole and is_truth(self.change.node))
            return replace(self.change, node=self.parent) if is_wider else None
        written = f"({into.name}){bracket(self.change.changed)}"
        if into.is_whole and into.rank >= out_of.rank:
            changed = self.change.changed if into == out_of else written
            return replace(self.change, node=self.parent, changed=changed)
        return self._anew(Value(written))

    def _unary(self) -> Change | None:
        kind, changed = arithmetic(self.parent.type), self.change.changed
        if self.parent.opcode == "!":
            return self._moved(test(self.facts, self.change))
        if self.parent.opcode not in ("-", "+", "~") or not kind:
            return None
        if changed is None:
            return replace(self.change, node=self.parent)
        value = negate(kind, changed) if self.parent.opcode == "-" else f"{self.parent.opcode}{bracket(changed)}"
        return replace(self.change, node=self.parent, changed=value)

    def _binary(self) -> Change | None:
        opcode, kind = self.parent.opcode, arithmetic(self.parent.type)
        if opcode in ("&&", "||"):
            return self._logical(opcode == "&&")
        if opcode in ("=", ","):
            return replace(self.change, node=self.parent, changed=None) if self.at else None
        other = self.parent.children[1 - self.at]
        if not kind or not other or not arithmetic(other.type) or not is_pure(other):
            return None
        if opcode in ("+", "-", "^") and kind.is_whole and self.change.changed is None:
            return replace(self.change, node=self.parent)
        if self.change.changed is None:
            return None
        value = self._computed(kind, opcode, self.facts.text(other))
        if opcode in ("+", "-", "^") and kind.is_whole:
            return replace(self.change, node=self.parent, changed=value.text)
        return self._anew(value)

    def _computed(self, kind: Arithmetic, opcode: str, other: str) -> Value:
        changed = self.change.changed or ""
        left, right = (other, changed) if self.at else (changed, other)
        if opcode in COMPARISONS:
            return Value(f"{bracket(left)} {opcode} {bracket(right)}")
        value = compute(kind, opcode, left, right)
        if opcode in ("<<", ">>") and self.at:
            return Value(value.text, (f"{bracket(right)} >= 0", f"{bracket(right)} < {kind.width}"))
        return value

    def _logical(self, is_and: bool) -> Change | None:
        """The left operand matters when the right one lets it through; the right one is guarded by the left."""
        tested = test(self.facts, self.change)
        if tested is None or self.at:
            return self._moved(tested)
        left, right = self.parent.children
        if not left or not right or not is_pure(right) or self.facts.disturbs(self.facts.effects(left), right):
            return None
        sign, other = ("", "!") if is_and else ("!", "")
        passes = f"{sign}({self.facts.text(right)})"
        if not self.facts.is_always_safe(right):  # where the program leaves it out, nobody may look
            passes = f"{other}({self.facts.text(left)}) || {passes}"
        return self._moved(replace(tested, differs=join((tested.differs, passes))))

    def _choice(self) -> Change | None:
        """An arm passes its change on. The chooser does where both arms may be evaluated."""
        if self.at:
            return replace(self.change, node=self.parent, changed=None)
        tested, arms = test(self.facts, self.change), self.parent.children[1:]
        are_safe = all(arm and arithmetic(arm.type) and self.facts.is_always_safe(arm) for arm in arms)
        if tested is None or not are_safe:
            return None
        one, other = (self.facts.text(arm) for arm in arms if arm)
        return self._moved(replace(tested, differs=join((tested.differs, differ(one, other, self.parent.type)))))

    def _update(self) -> Change | None:
        """`x += e`, where x is computed in its own type."""
        target, opcode = self.parent.children[0], self.parent.opcode.removesuffix("=")
        kind = arithmetic(self.parent.type)
        is_own = bool(kind and target and target.type == self.change.node.type and (kind.is_real or kind.rank >= INT))
        if not self.at or not is_own or not kind or not target or not is_pure(target):
            return None
        if opcode in ("+", "-", "^") and kind.is_whole:
            return replace(self.change, node=self.parent, changed=None)
        if self.change.changed is None:
            return None
        value, now = self._computed(kind, opcode, self.facts.text(target)), self.facts.text(self.change.node)
        before = compute(kind, opcode, self.facts.text(target), now)
        needs = (*self.change.needs, *before.needs, *value.needs)
        return Change(self.parent, differ(before.text, value.text, self.parent.type), needs=needs)

    def _moved(self, change: Change | None) -> Change | None:
        return replace(change, node=self.parent, changed=None) if change else None

    def _anew(self, value: Value) -> Change:
        """The parent computed twice, as it is and as it would be."""
        needs = (*self.change.needs, *divisions(self.facts, self.parent), *value.needs)
        differs = differ(converted(self.facts, self.parent), value.text, self.parent.type)
        return Change(self.parent, differs, value.text, needs)
