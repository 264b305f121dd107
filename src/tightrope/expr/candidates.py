"""The possible values of a bit vector, if its structure allows only few: the offsets of nodes in a pool, 0 or 1 times
the size of something, three bits of a character.

Law: for every input, the value is among them. Some of them may be impossible.
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.expr.operators import Op
from tightrope.expr.terms import Term

MOST = 64  # numbers
DEPTH = 100  # operators, one below the other

Candidates = frozenset[int] | None  # None: too many, or unknown
KnownCandidates = dict[Term, Candidates]


def candidates(term: Term, known: KnownCandidates, depth: int = DEPTH) -> Candidates:
    """The possible values. `known` is a cache for terms of one table, filled here."""
    if term.op is Op.CONSTANT:
        return None if term.is_float else frozenset((term.number,))
    if term not in known:
        known[term] = _find(term, known, depth - 1) if depth and not term.is_float else None
    return known[term]


def _find(term: Term, known: KnownCandidates, depth: int) -> Candidates:
    handler = _HANDLERS.get(term.op)
    found = handler(term, known, depth) if handler else None
    if found is None and term.bits <= 6:
        found = frozenset(range(1 << term.bits))
    return found if found is not None and len(found) <= MOST else None


def _of_choice(term: Term, known: KnownCandidates, depth: int) -> Candidates:
    one, other = (candidates(each, known, depth) for each in term.args[1:])
    return None if one is None or other is None else one | other


def _of_pair(meaning: Callable[[int, int], int]) -> Callable[[Term, KnownCandidates, int], Candidates]:
    def find(term: Term, known: KnownCandidates, depth: int) -> Candidates:
        one, other = (candidates(each, known, depth) for each in term.args)
        if one is None or other is None or len(one) * len(other) > MOST * MOST:
            return None
        mask = (1 << term.bits) - 1
        return frozenset(meaning(a, b) & mask for a in one for b in other)

    return find


def _of_and(term: Term, known: KnownCandidates, depth: int) -> Candidates:
    """With a mask of few bits, the value is a subset of the mask, whatever the other operand is."""
    found = _of_pair(lambda a, b: a & b)(term, known, depth)
    if found is not None or term.args[1].op is not Op.CONSTANT or term.args[1].number.bit_count() > 6:
        return found
    mask, part, parts = term.args[1].number, 0, {0}
    while part != mask:
        part = (part - mask) & mask
        parts.add(part)
    return frozenset(parts)


def _of_extension(term: Term, known: KnownCandidates, depth: int) -> Candidates:
    inner = candidates(term.args[0], known, depth)
    if inner is None or term.op is Op.ZERO_EXTEND:
        return inner
    width = term.args[0].bits
    high = ((1 << term.bits) - 1) ^ ((1 << width) - 1)
    return frozenset(value | high if value >> (width - 1) else value for value in inner)


def _of_extract(term: Term, known: KnownCandidates, depth: int) -> Candidates:
    inner = candidates(term.args[0], known, depth)
    mask = (1 << term.bits) - 1
    return None if inner is None else frozenset(value >> term.number & mask for value in inner)


_HANDLERS: dict[Op, Callable[[Term, KnownCandidates, int], Candidates]] = {
    Op.ITE: _of_choice,
    Op.ADD: _of_pair(lambda a, b: a + b),
    Op.SUB: _of_pair(lambda a, b: a - b),
    Op.MUL: _of_pair(lambda a, b: a * b),
    Op.OR: _of_pair(lambda a, b: a | b),
    Op.AND: _of_and,
    Op.ZERO_EXTEND: _of_extension,
    Op.SIGN_EXTEND: _of_extension,
    Op.EXTRACT: _of_extract,
}
