"""Two lists of statements, paired: what stayed, what became what, what was added and what was removed.

    old:  a  b  c  d              (a, a)  (b, b')  (-, x)  (c, c)  (d, -)
    new:  a  b' x  c

Statements that are the same are paired first; then, in the gaps between them, those that are alike. There may also be a
statement that was put around others: `if (ready) { ... }` around what was there before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tightrope.commands.diff.changes.syntax_part import BLOCK, LOOPS_AND_CHOICES, SyntaxPart

StatementPair = tuple[SyntaxPart | None, SyntaxPart | None]

_MOST_CELLS = 250_000  # of a table for one list against another; larger ones are compared less carefully
_MOST_LIKENESSES = 20_000
_MOST_SHAPES = 64  # of a part that its likeness is judged by
_MOST_INSIDE = 400
_LEAST_ALIKE = 0.3
_ALMOST_THE_SAME = 0.8
_ALIKE_BY_KIND = ("CaseStmt", "GotoStmt", "ReturnStmt", "RecordDecl", "EnumDecl")


@dataclass(frozen=True, slots=True)
class Wrapping:
    """The statements of `block`, which belongs to `around`, stand for `statements` of the other version."""

    around: SyntaxPart
    block: SyntaxPart
    statements: tuple[SyntaxPart, ...]
    is_old: bool  # the part around them went; else it came


def pair_statements(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> Iterator[StatementPair | Wrapping]:
    """In the order of the text."""
    at_old = at_new = 0
    for one, other in [*_same(old, new), (len(old), len(new))]:
        yield from _pair_gap(old[at_old:one], new[at_new:other])
        at_old, at_new = one + 1, other + 1
        if one < len(old):
            yield old[one], new[other]


def _same(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> list[tuple[int, int]]:
    """The largest common subsequence, by the sizes of its parts."""
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
    """Pairs in order whose worth is the largest in sum; what is worth nothing is no pair."""
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


# -- what is not the same


def _pair_gap(old: Sequence[SyntaxPart], new: Sequence[SyntaxPart]) -> Iterator[StatementPair | Wrapping]:
    """Nothing in the one list is the same as something in the other."""
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
    """Statements of one list that are now, or were, inside of one of the other list."""
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
    """One with the same condition: it is not around something else, but something has moved into it or out of it."""
    head = _head_shape(around)
    return head is not None and any(each.kind == around.kind and _head_shape(each) == head for each in others)


def _inside(around: SyntaxPart, others: Sequence[SyntaxPart]) -> tuple[SyntaxPart, range] | None:
    """The block of `around` that has most of the others, and which these are; those between them belong to them."""
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
    """Which of the others are in the block, as they are or nearly so."""
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
    """From 0 to 2: how much of the two is the same; 0 when the one has not become the other."""
    if old.kind != new.kind or _is_other(old, new):
        return 0
    mine, theirs = _shapes_near(old), _shapes_near(new)
    share = 2 * len(mine & theirs) / (len(mine) + len(theirs))
    has_same_head = bool(old.children) and _head_shape(old) == _head_shape(new)
    share += _LEAST_ALIKE * (old.kind in _ALIKE_BY_KIND)
    share += 0.5 * has_same_head + 0.25 * (old.says == new.says)
    return share if share >= _LEAST_ALIKE else 0


def _is_other(old: SyntaxPart, new: SyntaxPart) -> bool:
    """Another variable, label or type is declared."""
    if old.kind in ("RecordDecl", "EnumDecl"):
        return old.node.name != new.node.name
    return old.kind in ("VarDecl", "LabelStmt") and old.says[:1] != new.says[:1]


def _head_shape(part: SyntaxPart) -> int | None:
    """Of the condition, the callee, or what is assigned to."""
    first = part.children[0] if part.children else None
    return first.shape if first is not None and first.kind != BLOCK else None


def _shapes_near(part: SyntaxPart) -> frozenset[int]:
    """Of the part and what is below it, the nearest first."""
    near = [part]
    for each in near:  # grows while it is walked
        if len(near) >= _MOST_SHAPES:
            break
        near += [child for child in each.children if child is not None]
    return frozenset(each.shape for each in near[:_MOST_SHAPES])
