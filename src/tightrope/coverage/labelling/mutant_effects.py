"""The effect of a mutant on an expression, raised from the place of the mutation to the whole expression.

Theorem 2 of paper 002 compares states right after the mutated location: the whole condition, or the whole value that is
assigned, returned or passed. So the difference in `a < b` of

    if (a < b && c)           `a == b` for the mutant a <= b

is raised to `(a == b) && (c)`. It is raised as far as possible without evaluating what the program would not evaluate:
`p->x` in `p && p->x` only if p is true. An index, a pointer or an argument that differs counts as a difference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tightrope.coverage.labelling.arithmetic import INT, Arithmetic, arithmetic
from tightrope.coverage.labelling.evaluation import FunctionFacts, is_assignment, is_pure
from tightrope.coverage.labelling.predicates import (
    COMPARISONS,
    GuardedValue,
    bracket,
    compute,
    converted,
    differ,
    divisions,
    is_truth,
    join,
    negate,
)
from tightrope.coverage.labelling.sites import Site
from tightrope.program.c_text.syntax import SyntaxNode


@dataclass(frozen=True, slots=True)
class MutantEffect:
    """`differs` holds when the node has another value in the mutant."""

    node: SyntaxNode
    differs: str
    changed: str | None = None  # the value in the mutant, in the node's type; None if C cannot express it
    needs: tuple[str, ...] = ()  # without which `differs` and `changed` may be undefined
    is_partial: bool = False  # some of the needs are those of the mutant: without them, it alone is undefined


def raise_effect(facts: FunctionFacts, site: Site, height: int, effect: MutantEffect) -> MutantEffect:
    """The effect on the full expression, or on the part up to which it can be written: at most `height` parents up."""
    for parent, at in site.parents[:height]:
        raised = _Raising(facts, effect, parent, at).take()
        if raised is None:
            return effect
        effect = raised
        if is_assignment(parent):
            return effect
    is_tested = site.whole.is_tested and height == len(site.parents)
    return (effect_on_truth(facts, effect) or effect) if is_tested else effect


def effect_on_truth(facts: FunctionFacts, effect: MutantEffect) -> MutantEffect | None:
    """The effect on whether a value is zero; None when no C expresses it."""
    if is_truth(effect.node):
        return effect
    if effect.changed is None:
        return None
    if effect.changed == f"!({facts.text(effect.node)})":
        return replace(effect, differs="1", changed=None)
    needs = (*effect.needs, *divisions(facts, effect.node))
    return replace(effect, differs=f"!({facts.text(effect.node)}) != !({effect.changed})", changed=None, needs=needs)


@dataclass(frozen=True, slots=True)
class _Raising:
    """Raises an effect from an operand to its parent. Each method returns None if that is not possible."""

    facts: FunctionFacts
    effect: MutantEffect
    parent: SyntaxNode
    at: int

    def take(self) -> MutantEffect | None:
        match self.parent.kind:
            case "ParenExpr":
                return replace(self.effect, node=self.parent)
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

    def _cast(self) -> MutantEffect | None:
        into, out_of = arithmetic(self.parent.type), arithmetic(self.effect.node.type)
        if self.parent.opcode.endswith("ToBoolean"):
            return self._moved(effect_on_truth(self.facts, self.effect))
        if self.parent.opcode == "NoOp":
            return replace(self.effect, node=self.parent)
        if not into or not out_of or self.parent.opcode == "FloatingToIntegral" or self.effect.changed is None:
            is_wider = bool(into and into.is_whole and is_truth(self.effect.node))
            return replace(self.effect, node=self.parent) if is_wider else None
        written = f"({into.name}){bracket(self.effect.changed)}"
        if into.is_whole and into.rank >= out_of.rank:
            changed = self.effect.changed if into == out_of else written
            return replace(self.effect, node=self.parent, changed=changed)
        return self._anew(GuardedValue(written))

    def _unary(self) -> MutantEffect | None:
        kind, changed = arithmetic(self.parent.type), self.effect.changed
        if self.parent.opcode == "!":
            return self._moved(effect_on_truth(self.facts, self.effect))
        if self.parent.opcode not in ("-", "+", "~") or not kind:
            return None
        if changed is None:
            return replace(self.effect, node=self.parent)
        value = negate(kind, changed) if self.parent.opcode == "-" else f"{self.parent.opcode}{bracket(changed)}"
        return replace(self.effect, node=self.parent, changed=value)

    def _binary(self) -> MutantEffect | None:
        opcode, kind = self.parent.opcode, arithmetic(self.parent.type)
        if opcode in ("&&", "||"):
            return self._logical(opcode == "&&")
        if opcode in ("=", ","):
            return replace(self.effect, node=self.parent, changed=None) if self.at else None
        other = self.parent.children[1 - self.at]
        if not kind or not other or not arithmetic(other.type) or not is_pure(other):
            return None
        if opcode in ("+", "-", "^") and kind.is_whole and self.effect.changed is None:
            return replace(self.effect, node=self.parent)
        if self.effect.changed is None:
            return None
        value = self._computed(kind, opcode, self.facts.text(other))
        if opcode in ("+", "-", "^") and kind.is_whole:
            return replace(self.effect, node=self.parent, changed=value.text)
        return self._anew(value)

    def _computed(self, kind: Arithmetic, opcode: str, other: str) -> GuardedValue:
        changed = self.effect.changed or ""
        left, right = (other, changed) if self.at else (changed, other)
        if opcode in COMPARISONS:
            return GuardedValue(f"{bracket(left)} {opcode} {bracket(right)}")
        value = compute(kind, opcode, left, right)
        if opcode in ("<<", ">>") and self.at:
            return GuardedValue(value.text, (f"{bracket(right)} >= 0", f"{bracket(right)} < {kind.width}"))
        return value

    def _logical(self, is_and: bool) -> MutantEffect | None:
        """The left operand matters if the right one does not mask it; the right one is guarded by the left one."""
        tested = effect_on_truth(self.facts, self.effect)
        if tested is None or self.at:
            return self._moved(tested)
        left, right = self.parent.children
        if not left or not right or not is_pure(right):
            return None
        if not self.facts.kept and self.facts.disturbs(self.facts.effects(left), right):
            return None  # unless the label stands behind the left operand
        sign, other = ("", "!") if is_and else ("!", "")
        passes = f"{sign}({self.facts.text(right)})"
        if not self.facts.is_always_safe(right):  # where the program does not evaluate it, the label must not either
            passes = f"{other}({self.facts.text(left)}) || {passes}"
        return self._moved(replace(tested, differs=join((tested.differs, passes))))

    def _choice(self) -> MutantEffect | None:
        """An effect on an arm affects the whole. So does one on the condition, if both arms may be evaluated."""
        if self.at:
            return replace(self.effect, node=self.parent, changed=None)
        tested, arms = effect_on_truth(self.facts, self.effect), self.parent.children[1:]
        are_safe = all(arm and arithmetic(arm.type) and self.facts.is_always_safe(arm) for arm in arms)
        if tested is None or not are_safe:
            return None
        one, other = (self.facts.text(arm) for arm in arms if arm)
        return self._moved(replace(tested, differs=join((tested.differs, differ(one, other, self.parent.type)))))

    def _update(self) -> MutantEffect | None:
        """`x += e`, where x is computed in its own type."""
        target, opcode = self.parent.children[0], self.parent.opcode.removesuffix("=")
        kind = arithmetic(self.parent.type)
        is_own = bool(kind and target and target.type == self.effect.node.type and (kind.is_real or kind.rank >= INT))
        if not self.at or not is_own or not kind or not target or not is_pure(target):
            return None
        if opcode in ("+", "-", "^") and kind.is_whole:
            return replace(self.effect, node=self.parent, changed=None)
        if self.effect.changed is None:
            return None
        value, now = self._computed(kind, opcode, self.facts.text(target)), self.facts.text(self.effect.node)
        before = compute(kind, opcode, self.facts.text(target), now)
        needs = (*self.effect.needs, *before.needs, *value.needs)
        differs = differ(before.text, value.text, self.parent.type)
        return MutantEffect(self.parent, differs, None, needs, self.effect.is_partial or bool(value.needs))

    def _moved(self, effect: MutantEffect | None) -> MutantEffect | None:
        return replace(effect, node=self.parent, changed=None) if effect else None

    def _anew(self, value: GuardedValue) -> MutantEffect:
        """Compare the parent computed with the original operand and with the changed one."""
        needs = (*self.effect.needs, *divisions(self.facts, self.parent), *value.needs)
        differs = differ(converted(self.facts, self.parent), value.text, self.parent.type)
        return MutantEffect(self.parent, differs, value.text, needs, self.effect.is_partial or bool(value.needs))
