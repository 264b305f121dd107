"""Pairs two lists of statements: unchanged, changed, added and removed ones.

    old:  a  b  c  d              (a, a)  (b, b')  (-, x)  (c, c)  (d, -)
    new:  a  b' x  c

Equal statements are paired first; then, in the gaps between them, similar ones. A statement may also have been put
around others: `if (ready) { ... }` around existing code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tightrope.commands.diff.changes.syntax_part import BLOCK, LOOPS_AND_CHOICES, SyntaxPart

StatementPair = tuple[SyntaxPart | None, SyntaxPart | None]

_MOST_CELLS = 250_000  # of the table that compares two lists; longer lists are compared less precisely
_MOST_LIKENESSES = 20_000
_MOST_SHAPES = 64  # of a part, for judging its likeness
_MOST_INSIDE = 400
_LEAST_ALIKE = 0.3
_ALMOST_THE_SAME = 0.8
_ALIKE_BY_KIND = ("CaseStmt", "GotoStmt", "ReturnStmt", "RecordDecl", "EnumDecl")


@dataclass(frozen=True, slots=True)
class Wrapping:
    """The statements of `block`, which belongs to `around`, correspond to `statements` of the other version."""

    around: SyntaxPart
    block: SyntaxPart
    statements: tuple[SyntaxPart, ...]
    is_old: bool  # the surrounding part was removed; otherwise it was added


def pair_statements(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> Iterator[StatementPair | Wrapping]:
    """The pairs, in the order of the text."""
    at_old = at_new = 0
    for one, other in [*_same(old, new), (len(old), len(new))]:
        yield from _pair_gap(old[at_old:one], new[at_new:other])
        at_old, at_new = one + 1, other + 1
        if one < len(old):
            yield old[one], new[other]


def _same(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> list[tuple[int, int]]:
    """The largest common subsequence, weighted by the sizes of its parts."""
    first = 0
    while first < min(len(old), len(new)) and old[first].shape == new[first].shape:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last].shape == new[-1 - last].shape:
        last += 1
    middle = _largest_common(old[first : len(old) - last], new[first : len(new) - last])
    ends = [(len(old) - each, len(new) - each) for each in range(last, 0, -1)]
    return [*((each, each) for each in range(first)), *((a + first, b + first) for a, b in middle), *ends]


def _largest_common(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> list[tuple[int, int]]:
    if len(old) * len(new) > _MOST_CELLS:
        return _long_runs([each.shape for each in old], [each.shape for each in new])
    return _best_path(old, new, lambda one, other: one.size if one.shape == other.shape else 0)


def _long_runs(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return [(block.a + each, block.b + each) for block in blocks for each in range(block.size)]


def _best_path(
    old: Sequence[SyntaxPart], new: Sequence[SyntaxPart], worth: Callable[[SyntaxPart, SyntaxPart], float]
) -> list[tuple[int, int]]:
    """Ordered pairs with the largest total worth; pairs worth nothing are left out."""
    gains = [[worth(one, other) for other in new] for one in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for at in range(len(old) - 1, -1, -1):
        row, below, gain = best[at], best[at + 1], gains[at]
        for other in range(len(new) - 1, -1, -1):
            apart = max(below[other], row[other + 1])
            row[other] = max(apart, gain[other] + below[other + 1]) if gain[other] else apart
    return list(_follow(best, gains))


def _follow(best: list[list[float]], gains: list[list[float]]) -> Iterator[tuple[int, int]]:
    at = other = 0
    while at < len(gains) and other < len(gains[at]):
        if gains[at][other] and best[at][other] == gains[at][other] + best[at + 1][other + 1]:
            yield at, other
            at, other = at + 1, other + 1
        elif best[at][other] == best[at + 1][other]:
            at += 1
        else:
            other += 1


# -- differing statements


def _pair_gap(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> Iterator[StatementPair | Wrapping]:
    """Pair two lists without equal statements."""
    if not old or not new:
        yield from ((each, None) for each in old)
        yield from ((None, each) for each in new)
        return
    wrapping = _find_wrapping(old, new)
    if wrapping is None:
        yield from _pair_alike(old, new)
        return
    found, old_range, new_range = wrapping
    yield from _pair_gap(old[: old_range.start], new[: new_range.start])
    yield found
    yield from _pair_gap(old[old_range.stop :], new[new_range.stop :])


def _find_wrapping(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> tuple[Wrapping, range, range] | None:
    """Find statements of one list that are inside a statement of the other list."""
    for at, around in enumerate(new):
        if not _has_twin(around, old) and (found := _inside(around, old)):
            block, held = found
            statements = tuple(old[held.start : held.stop])
            return Wrapping(around, block, statements, is_old=False), held, range(at, at + 1)
    for at, around in enumerate(old):
        if not _has_twin(around, new) and (found := _inside(around, new)):
            block, held = found
            statements = tuple(new[held.start : held.stop])
            return Wrapping(around, block, statements, is_old=True), range(at, at + 1), held
    return None


def _has_twin(around: SyntaxPart, others: Sequence[SyntaxPart]) -> bool:
    """True if one has the same condition: then `around` is not new, but statements moved into or out of it."""
    head = _head_shape(around)
    return head is not None and any(each.kind == around.kind and _head_shape(each) == head for each in others)


def _inside(around: SyntaxPart, others: Sequence[SyntaxPart]) -> tuple[SyntaxPart, range] | None:
    """The block of `around` that contains most of the others, and their range, including those in between."""
    if around.kind not in LOOPS_AND_CHOICES:
        return None
    found: list[tuple[int, SyntaxPart, range]] = []
    for block in around.bodies:
        held = list(_held(around, block, others))
        weight = sum(others[at].size for at in held)
        if held and 2 * weight > sum(each.size for each in others[held[0] : held[-1] + 1]):
            found.append((weight, block, range(held[0], held[-1] + 1)))
    if not found:
        return None
    _, best, most = max(found, key=lambda each: each[0])
    return best, most


def _held(around: SyntaxPart, block: SyntaxPart, others: Sequence[SyntaxPart]) -> Iterator[int]:
    """The indices of the others that are in the block, unchanged or nearly so."""
    shapes, is_small = {each.shape for each in block.statements}, len(block.statements) * len(others) <= _MOST_INSIDE
    for at, other in enumerate(others):
        if other.shape in shapes:
            yield at
        elif is_small:
            inside = max((likeness(other, each) for each in block.statements), default=0)
            if inside >= _ALMOST_THE_SAME and inside > likeness(other, around):
                yield at


def _pair_alike(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> Iterator[StatementPair]:
    at_old = at_new = 0
    alike = _best_path(old, new, likeness) if len(old) * len(new) <= _MOST_LIKENESSES else []
    for one, other in [*alike, (len(old), len(new))]:
        yield from ((each, None) for each in old[at_old:one])
        yield from ((None, each) for each in new[at_new:other])
        at_old, at_new = one + 1, other + 1
        if one < len(old):
            yield old[one], new[other]


def likeness(old: SyntaxPart, new: SyntaxPart) -> float:
    """How similar the two are, from 0 to 2; 0 if one cannot have become the other."""
    if old.kind != new.kind or _is_other(old, new):
        return 0
    mine, theirs = _shapes_near(old), _shapes_near(new)
    share = 2 * len(mine & theirs) / (len(mine) + len(theirs))
    has_same_head = bool(old.children) and _head_shape(old) == _head_shape(new)
    share += _LEAST_ALIKE * (old.kind in _ALIKE_BY_KIND)
    share += 0.5 * has_same_head + 0.25 * (old.says == new.says)
    return share if share >= _LEAST_ALIKE else 0


def _is_other(old: SyntaxPart, new: SyntaxPart) -> bool:
    """True if they declare different variables, labels or types."""
    if old.kind in ("RecordDecl", "EnumDecl"):
        return old.node.name != new.node.name
    return old.kind in ("VarDecl", "LabelStmt") and old.says[:1] != new.says[:1]


def _head_shape(part: SyntaxPart) -> int | None:
    """The shape of the condition, the callee, or the left side of an assignment."""
    first = part.children[0] if part.children else None
    return first.shape if first is not None and first.kind != BLOCK else None


def _shapes_near(part: SyntaxPart) -> frozenset[int]:
    """The shapes of the part and its descendants, the nearest first."""
    near = [part]
    for each in near:  # grows during iteration
        if len(near) >= _MOST_SHAPES:
            break
        near += [child for child in each.children if child is not None]
    return frozenset(each.shape for each in near[:_MOST_SHAPES])
