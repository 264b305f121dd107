"""Pairs the locals of the old and the new version, so that renaming a local is not a change.

There may be more than one answer: if `int a = x, b = y;` became `int b = x, a = y;`, either the names or the
initialisers were swapped. Each answer is tried, and the one with the fewest changes is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.changes.clang_nodes import WRAPPINGS
from tightrope.program.c_text.syntax import SyntaxNode

PARAMETER, VARIABLE, LABEL = "parameter", "variable", "label"
_MOST = 100  # locals whose uses are compared, each with each
_LEAST_ALIKE = 0.5  # share of common uses that makes two locals a renamed one


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A parameter, a variable of a function, static ones included, or a label."""

    key: str  # clang's number of the declaration; the name of a label
    name: str
    kind: str
    type: str
    uses: Counter[tuple[str, ...]] = field(default_factory=Counter)  # the operations that use it

    def likeness(self, other: Local) -> float:
        mine, theirs = self.uses.total(), other.uses.total()
        common = (self.uses & other.uses).total()
        return (2 * common + 1) / (mine + theirs + 1) - (0.2 if self.type != other.type else 0)


Twins = dict[str, str]  # key of a local of the old version -> that of the new one


def label_key(name: str) -> str:
    return f"label {name}"


def label_of(node: SyntaxNode, text: str) -> str:
    """The target label of a `goto`, which clang's dump does not contain."""
    return node.name or text.split()[-1]


def list_locals(root: SyntaxNode, text: str) -> tuple[Local, ...]:
    """The locals of a function, in the order of the text."""
    found: dict[str, Local] = {}
    references: list[tuple[str, tuple[str, ...]]] = []
    for node, parent, at in _walk(root):
        if node.kind == "ParmVarDecl" and parent is root:
            found[node.declaration] = Local(node.declaration, node.name, PARAMETER, node.type)
        elif node.kind == "VarDecl" and node.storage != "extern":
            found[node.declaration] = Local(node.declaration, node.name, VARIABLE, node.type)
            references += [(node.declaration, ("is", *_describe(node)))]
        elif node.kind == "LabelStmt":
            found[label_key(node.name)] = Local(label_key(node.name), node.name, LABEL, "")
        elif node.kind == "DeclRefExpr":
            references.append((node.declaration, (*_describe(parent), str(at))))
        elif node.kind == "GotoStmt":
            references.append((label_key(label_of(node, text[node.start : node.end])), ("GotoStmt",)))
    for key, use in references:
        if key in found:
            found[key].uses[use] += 1
    return tuple(found.values())


def _walk(root: SyntaxNode) -> Iterator[tuple[SyntaxNode, SyntaxNode, int]]:
    """Every node below the root with its parent, skipping casts and parentheses, and its index there."""
    waiting = [(each, root, at) for at, each in enumerate(root.children) if each is not None][::-1]
    while waiting:
        node, parent, at = waiting.pop()
        yield node, parent, at
        is_wrapping = node.kind in WRAPPINGS
        below = [
            (each, parent, at) if is_wrapping else (each, node, index)
            for index, each in enumerate(node.children)
            if each is not None
        ]
        waiting += reversed(below)


def _describe(node: SyntaxNode) -> tuple[str, ...]:
    """The kind of a node and of its operands, without names of locals."""
    beside = (each for each in node.children if each is not None)
    leaves = (each.value or (each.name if each.declares == "FunctionDecl" else "") for each in map(_bare, beside))
    return (node.kind, node.opcode, node.name if node.kind == "MemberExpr" else "", *leaves)


def _bare(node: SyntaxNode) -> SyntaxNode:
    while node.kind in WRAPPINGS and node.children and node.children[0]:
        node = node.children[0]
    return node


def propose_twins(old: Sequence[Local], new: Sequence[Local]) -> tuple[Twins, ...]:
    """Ways to pair the locals of two versions, the most natural one first."""
    by_name = _pair_by_name(old, new)
    if [each.kind for each in old] != [each.kind for each in new]:
        return (by_name,)
    by_order = {mine.key: theirs.key for mine, theirs in zip(old, new, strict=True)}
    return (by_name,) if by_order == by_name else (by_name, by_order)


def _pair_by_name(old: Sequence[Local], new: Sequence[Local]) -> Twins:
    """Pair locals with the same name, in the order of the text if there are several; the others by their uses."""
    twins: dict[str, str] = {}
    for kind, name in dict.fromkeys((each.kind, each.name) for each in old):
        mine = [each for each in old if (each.kind, each.name) == (kind, name)]
        theirs = [each for each in new if (each.kind, each.name) == (kind, name)]
        if len(mine) == len(theirs):
            twins |= {one.key: other.key for one, other in zip(mine, theirs, strict=True)}
        elif theirs:
            twins |= _pair_by_uses(mine, theirs, least=0)
    left = [each for each in old if each.key not in twins]
    taken = set(twins.values())
    return twins | _pair_by_uses(left, [each for each in new if each.key not in taken], _LEAST_ALIKE)


def _pair_by_uses(old: Sequence[Local], new: Sequence[Local], least: float) -> Twins:
    """Pair the most similar ones first; of equally similar ones, the first."""
    twins = _pair_equal(old, new)
    taken = set(twins.values())
    old = [each for each in old if each.key not in twins][:_MOST]
    new = [each for each in new if each.key not in taken][:_MOST]
    pairs = [
        (-mine.likeness(theirs), abs(at - other), at, other)
        for at, mine in enumerate(old)
        for other, theirs in enumerate(new)
        if mine.kind == theirs.kind and mine.likeness(theirs) >= least
    ]
    for _, _, at, other in sorted(pairs):
        if old[at].key not in twins and new[other].key not in taken:
            twins[old[at].key] = new[other].key
            taken.add(new[other].key)
    return twins


def _pair_equal(old: Sequence[Local], new: Sequence[Local]) -> Twins:
    """Pair locals with equal uses, in the order of the text."""
    waiting: dict[tuple[str, str, frozenset[object]], list[str]] = {}
    for each in reversed(new):
        waiting.setdefault((each.kind, each.type, frozenset(each.uses.items())), []).append(each.key)
    twins: dict[str, str] = {}
    for each in old:
        equals = waiting.get((each.kind, each.type, frozenset(each.uses.items())))
        if equals:
            twins[each.key] = equals.pop()
    return twins
