"""LIMIT: boundary values of each comparison: equal operands, and operands that differ by one.

    a < b     a == b    the smallest a that is not below b    a + 1 == b    the largest a that is
    a == b    a == b    equal                                 a + 1 == b    one below    a == b + 1    one above

For floating-point numbers and pointers only equality is a label: their nearest neighbour is of little interest.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.coverage.labelling.arithmetic import INT, Arithmetic, arithmetic
from tightrope.coverage.labelling.evaluation import FunctionFacts, is_constant, is_pure, strip, strip_parentheses
from tightrope.coverage.labelling.kept_operands import keep_operands
from tightrope.coverage.labelling.labeller import NOT_KEPT, Labeller
from tightrope.coverage.labelling.predicates import COMPARISONS, bracket, divisions
from tightrope.coverage.labelling.sites import Site, find_place, find_sites
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.marks.labels import Label

_BELOW, _ABOVE = "below", "above"
_BEYOND = {
    "<": (_BELOW,),
    ">=": (_BELOW,),
    ">": (_ABOVE,),
    "<=": (_ABOVE,),
    "==": (_BELOW, _ABOVE),
    "!=": (_BELOW, _ABOVE),
}


def label_limits(facts: FunctionFacts) -> Iterator[Label]:
    labeller = Labeller(facts, "limit")
    for site in find_sites(facts):
        if site.node.kind == "BinaryOperator" and site.node.opcode in COMPARISONS and not is_constant(site.node):
            yield from _limits(labeller, site)


def _limits(labeller: Labeller, site: Site) -> Iterator[Label]:
    facts, node = labeller.facts, site.node
    at = find_place(facts, site) if is_pure(node) else None
    kept = None if at else keep_operands(facts, site)
    named = [predicate for _, predicate in _predicates(kept.facts, node)] if kept else []
    for number, (kind, predicate) in enumerate(_predicates(facts, node)):
        text = f"{facts.words(node)} where {predicate}"
        if at:
            yield labeller.about(site, at, kind, "", text, *divisions(facts, node), predicate)
        elif kept:
            yield labeller.at(kept.place, node.location, kind, kind, text, named[number])
        else:
            yield labeller.problem(site, kind, "", text, NOT_KEPT)


def _predicates(facts: FunctionFacts, node: SyntaxNode) -> Iterator[tuple[str, str]]:
    left, right = node.children
    assert left and right
    yield "equal", f"{bracket(facts.text(left))} == {bracket(facts.text(right))}"
    kind = arithmetic(left.type)
    if kind and kind.is_whole:
        for side in _BEYOND[node.opcode]:
            yield side, _beside(facts, kind, left, right, 1 if side == _ABOVE else -1)


def _beside(facts: FunctionFacts, kind: Arithmetic, left: SyntaxNode, right: SyntaxNode, step: int) -> str:
    """The left operand is one more or one less than the right one, without overflow."""
    a, b = bracket(facts.text(left)), bracket(facts.text(right))
    for other, node, away in ((a, right, step), (b, left, -step)):
        number = _number(node)
        if number is not None and (kind.is_signed or number + away >= 0):
            return f"{other} == {number + away}"
    low, high, lower = (b, a, right) if step > 0 else (a, b, left)
    return f"{low} < {high} && {_as(kind, lower, low)} + 1 == {high}"


def _number(node: SyntaxNode) -> int | None:
    """The value of a literal, if its neighbours are of type int too."""
    inner = strip(node)
    is_small = inner.kind == "IntegerLiteral" and inner.type == "int" and inner.value not in ("", str(2**31 - 1))
    return int(inner.value) if is_small else None


def _as(kind: Arithmetic, node: SyntaxNode, text: str) -> str:
    """The operand, with a cast if C converts it to the type of the comparison."""
    inner = arithmetic(strip_parentheses(node).type)
    return f"({kind.name}){text}" if inner and inner.rank >= INT and inner.name != kind.name else text
