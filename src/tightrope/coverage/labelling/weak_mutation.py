"""WM: every mutant has another state right after the place of the mutation (Bardin et al., Theorem 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tightrope.coverage.labelling.evaluation import FunctionFacts, everything, is_assignment, is_pure, strip_parentheses
from tightrope.coverage.labelling.labeller import IMPURE, Labeller
from tightrope.coverage.labelling.mutant_effects import raise_effect
from tightrope.coverage.labelling.mutants import find_mutants, find_targets, is_assignable
from tightrope.coverage.labelling.predicates import divisions
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
            text = facts.words(site.node)
            yield labeller.problem(site, "operator", site.node.opcode, f"mutants of {text}", IMPURE)


def _mutants(labeller: Labeller, site: Site) -> Iterator[Label]:
    facts, mutants = labeller.facts, tuple(find_mutants(labeller.facts, site))
    at = find_place(labeller.facts, site) if mutants else GuardedPlace(None)
    for mutant in mutants:
        own = mutant.effect if mutant.effect.needs else replace(mutant.effect, needs=divisions(facts, site.node))
        effect = raise_effect(facts, site, at.height, own) if mutant.is_raised else own
        text = f"{facts.words(site.node)} as {mutant.shown}"
        yield labeller.about(site, at, mutant.kind, mutant.what, text, *effect.needs, effect.differs)


def _targets(labeller: Labeller, site: Site, scope: Scope) -> Iterator[Label]:
    """Mutants of a plain assignment to a variable."""
    target, value = site.node.children
    if site.node.kind == "CompoundAssignOperator" or not target or not value or not is_pure(value):
        return
    if strip_parentheses(target).kind != "DeclRefExpr" or not is_assignable(target.type) or not is_pure(target):
        return
    at = find_place(labeller.facts, site)
    for mutant in find_targets(labeller.facts, site.node, scope.others(strip_parentheses(target), site.node.start)):
        text = f"{labeller.facts.words(site.node)} as {mutant.shown}"
        yield labeller.about(site, at, mutant.kind, mutant.what, text, mutant.effect.differs)


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
