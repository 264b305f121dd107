"""WM: every mutant has another state right after the place of the mutation (Bardin et al., Theorem 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tightrope.coverage.labelling.arithmetic import arithmetic, array_length
from tightrope.coverage.labelling.evaluation import (
    FunctionFacts,
    base_variable,
    everything,
    is_arrow,
    is_assignment,
    is_pure,
    strip_parentheses,
)
from tightrope.coverage.labelling.kept_operands import KeptOperands, keep_operands, keep_truth
from tightrope.coverage.labelling.labeller import NOT_KEPT, Labeller
from tightrope.coverage.labelling.mutant_effects import raise_effect
from tightrope.coverage.labelling.mutants import (
    Mutant,
    OtherTarget,
    find_connectors,
    find_mutants,
    find_targets,
    is_assignable,
)
from tightrope.coverage.labelling.predicates import bracket, divisions, join
from tightrope.coverage.labelling.sites import GuardedPlace, Site, find_place, find_sites
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.labels import Label


def label_mutants(facts: FunctionFacts) -> Iterator[Label]:
    """One label for each mutant, and one with a problem for each expression that has side effects."""
    scope = Scope(facts)
    labeller = Labeller(facts, "wm")
    for site in find_sites(facts):
        if is_assignment(site.node):
            yield from _targets(labeller, site, scope)
        elif is_pure(site.node):
            yield from _mutants(labeller, site)
        elif site.node.kind == "BinaryOperator" and site.node.opcode != ",":
            yield from _kept_mutants(labeller, site)


def _mutants(labeller: Labeller, site: Site) -> Iterator[Label]:
    facts, mutants = labeller.facts, tuple(find_mutants(labeller.facts, site))
    at = find_place(labeller.facts, site) if mutants else GuardedPlace(None)
    for mutant in mutants:
        own = mutant.effect if mutant.effect.needs else replace(mutant.effect, needs=divisions(facts, site.node))
        effect = raise_effect(facts, site, at.height, own) if mutant.is_raised else own
        if mutant.kind == "uoi" and effect.differs == "1":
            continue  # reaching the expression would cover it
        text = f"{facts.words(site.node)} as {mutant.shown}"
        label = labeller.about(site, at, mutant.kind, mutant.what, text, *effect.needs, effect.differs)
        yield replace(label, is_partial=effect.is_partial)


def _kept_mutants(labeller: Labeller, site: Site) -> Iterator[Label]:
    """Mutants of an operation whose operands have side effects: labels behind its evaluation."""
    facts, node = labeller.facts, site.node
    if node.opcode in ("&&", "||"):
        yield from _kept_connectors(labeller, site)
        return
    kept = keep_operands(facts, site)
    if not kept:
        yield labeller.problem(site, "operator", node.opcode, f"mutants of {facts.words(node)}", NOT_KEPT)
        return
    for mutant in find_mutants(kept.facts, site):
        effect = raise_effect(kept.facts, site, kept.height, mutant.effect) if mutant.is_raised else mutant.effect
        if mutant.kind != "uoi" or effect.differs != "1":
            label = _behind(labeller, site, kept, mutant, join((*effect.needs, effect.differs)))
            yield replace(label, is_partial=effect.is_partial)


def _kept_connectors(labeller: Labeller, site: Site) -> Iterator[Label]:
    """The mutants of `a && b` of which nothing is evaluated that the program does not evaluate."""
    left, right = site.node.children
    assert left and right
    operand = left if is_pure(right) else right
    kept = keep_truth(labeller.facts, operand)
    if not kept:
        text = f"mutants of {labeller.facts.words(site.node)}"
        yield labeller.problem(site, "operator", site.node.opcode, text, NOT_KEPT)
        return
    for mutant in find_connectors(kept.facts, site.node, is_behind_left=operand is left):
        yield _behind(labeller, site, kept, mutant, mutant.effect.differs)


def _behind(labeller: Labeller, site: Site, kept: KeptOperands, mutant: Mutant, predicate: str) -> Label:
    text = f"{labeller.facts.words(site.node)} as {mutant.shown}"
    what = ":".join((mutant.kind, mutant.what))
    return labeller.at(kept.place, site.node.location, mutant.kind, what, text, predicate)


def _targets(labeller: Labeller, site: Site, scope: Scope) -> Iterator[Label]:
    """Mutants of the left-hand side of a plain assignment."""
    target, value = site.node.children
    if site.node.kind == "CompoundAssignOperator" or not target or not value or not is_pure(value):
        return
    if not is_assignable(target.type) or not is_pure(target):
        return
    inner, facts = strip_parentheses(target), labeller.facts
    others = list(scope.other_targets(facts, inner, site.node.start))
    at = find_place(facts, site) if others else GuardedPlace(None)
    variable = base_variable(inner)
    for mutant in find_targets(facts, site.node, others, variable is None or facts.has_value(variable)):
        text = f"{facts.words(site.node)} as {mutant.shown}"
        yield labeller.about(site, at, mutant.kind, mutant.what, text, *mutant.effect.needs, mutant.effect.differs)


class Scope:
    """Which variables a statement could write to instead: parameters, locals in scope, globals that are mentioned."""

    def __init__(self, facts: FunctionFacts) -> None:
        self._declared: list[tuple[SyntaxNode, int, int]] = []  # variable, from, to
        self._walk(facts.syntax.root, facts.syntax.root.end)
        self._mentioned = {
            each.declaration: each
            for each in everything(facts.syntax.root)
            if each.kind == "DeclRefExpr" and each.declares == "VarDecl"
        }

    def _walk(self, node: SyntaxNode, end: int) -> None:
        end = node.end if node.kind in ("CompoundStmt", "ForStmt") else end
        if node.kind in ("VarDecl", "ParmVarDecl") and node.name:
            self._declared.append((node, node.end, end))
        for each in node.children:
            if each:
                self._walk(each, end)

    def other_targets(self, facts: FunctionFacts, target: SyntaxNode, at: int) -> Iterator[OtherTarget]:
        """What could be written to instead of a variable, of what a pointer leads to, or of an element of an array.
        Whatever it is, the predicate can evaluate it."""
        if target.kind == "DeclRefExpr":
            for other in self.others(target, at):
                yield OtherTarget(other.name, facts.has_value(other.declaration))
        elif target.kind == "ArraySubscriptExpr":
            yield from self._other_elements(facts, target, at)
        elif (target.kind == "UnaryOperator" and target.opcode == "*") or (
            target.kind == "MemberExpr" and is_arrow(target)
        ):
            pointer = _variable(target.children[0])
            for other in self.others(pointer, at) if pointer else ():
                if facts.has_value(other.declaration) and pointer:
                    text = f"*{other.name}" if target.kind == "UnaryOperator" else f"{other.name}->{target.name}"
                    yield OtherTarget(text, True, (f"{other.name} != 0", f"{other.name} != {pointer.name}"))

    def _other_elements(self, facts: FunctionFacts, target: SyntaxNode, at: int) -> Iterator[OtherTarget]:
        base, index = target.children
        array = base.children[0] if base and base.opcode == "ArrayToPointerDecay" else None
        length = array_length(array.type) if array else None
        if not array or not index or length is None or array.kind != "DeclRefExpr":
            return
        text = facts.text(index)
        for other in self.others(array, at):
            yield OtherTarget(f"{other.name}[{text}]", facts.has_value(other.declaration), _within(index, text, length))
        variable = _variable(index)
        for other in self.others(variable, at) if variable else ():
            if facts.has_value(other.declaration) and variable:
                needs = (f"{other.name} != {variable.name}", *_within(variable, other.name, length))
                needs += _within(variable, variable.name, length)
                yield OtherTarget(f"{array.name}[{other.name}]", facts.has_value(array.declaration), needs)

    def others(self, target: SyntaxNode, at: int) -> list[SyntaxNode]:
        """Variables of the target's type in scope, without hidden ones."""
        known = {each.declaration for each, _, _ in self._declared}
        visible = {node.name: node for node in self._mentioned.values() if node.declaration not in known}
        visible |= {node.name: node for node, start, end in self._declared if start <= at < end}
        return [
            node
            for node in visible.values()
            if node.type == target.type and node.declaration != target.declaration and "const" not in node.type
        ]


def _variable(node: SyntaxNode | None) -> SyntaxNode | None:
    """The variable whose value an expression is."""
    inner = strip_parentheses(node) if node else None
    return inner if inner and inner.kind == "DeclRefExpr" and inner.declares in ("VarDecl", "ParmVarDecl") else None


def _within(index: SyntaxNode, text: str, length: int) -> tuple[str, ...]:
    kind = arithmetic(index.type)
    below = () if kind and not kind.is_signed else (f"{bracket(text)} >= 0",)
    return (*below, f"{bracket(text)} < {length}")
