"""Readable values: make the input of a kept run simpler without losing what it is kept for.

Every accepted step is strictly better in the order of `readability.py`, so shrinking ends; it also ends
when the budget of runs is spent. Passes, from coarse to fine, until none of them helps:

    leave out calls of a sequence  ->  shorten texts  ->  clear whole stretches  ->  give each leaf a simple value  ->
    lower each number by bisection, then by clearing bits  ->  lower equal leaves together  ->  lower two leaves by the
    same amount
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from tightrope.deadline import NEVER, Deadline
from tightrope.inputs.scalars import Input
from tightrope.inputs.texts import NO_TEXTS, InputTexts
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.suite.readability import InputRank, LeafType, input_rank, rank
from tightrope.suite.reduce import Kept

Run = Callable[[Input], RunRecord]
FindShorter = Callable[[Input], Iterable[Input]]

STEPS = 5000  # steps that take as long as starting a run: a long run counts as several
ENDLESS = 600  # number of runs that a timed-out one counts as
OWN = 0  # the choice of a pointer to lead to an object of its own
FEW_CHARACTERS = 12  # that are tried in place of one in a text
_VISIBLE = (b"a", b" ", b"0")  # in place of zeros in a text
_SIMPLE_NUMBERS = (0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 10, 16, 100)
_SIMPLE_CHARACTERS = tuple(map(ord, "\0azAZ019 _-.")) + tuple(range(33, 127))
_SIMPLE_REALS = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5, 10.0, 100.0, 0.25, 1.5)


def _nothing_shorter(values: Input) -> tuple[Input, ...]:
    return ()


def shrink(
    kept: Kept,
    leaves: Sequence[LeafType],
    run: Run,
    max_runs: int = 2000,
    deadline: Deadline = NEVER,
    texts: InputTexts = NO_TEXTS,
    find_shorter: FindShorter = _nothing_shorter,
) -> RunRecord:
    """The most readable run found that ends alike and still covers what `kept` is kept for. `texts`: of a program that
    reads some. `find_shorter`: inputs of runs that do less than the run of this input."""
    return _Shrinker(kept, leaves, run, max_runs, deadline, texts, find_shorter).shrink()


class _Shrinker:
    def __init__(
        self,
        kept: Kept,
        leaves: Sequence[LeafType],
        run: Run,
        max_runs: int,
        deadline: Deadline,
        texts: InputTexts,
        find_shorter: FindShorter,
    ) -> None:
        self._find_shorter = find_shorter
        self.leaves = tuple(leaves)
        self.texts = texts
        self._in_texts = texts.slots
        self.best = kept.run
        self._obligations = kept.obligations
        self._ending = kept.run.ending
        self._run = run
        self._left = max_runs
        self._deadline = deadline
        self._tried: set[Input] = {kept.run.input}
        self._rank = self._rank_of(self.best.input)

    def shrink(self) -> RunRecord:
        if self.best.is_risky:
            self._give_objects()
        passes = (
            self._leave_out,
            self._shorten_texts,
            self._fill_zeros,
            self._clear_stretches,
            self._simplify_leaves,
            self._lower_numbers,
            self._lower_equals,
            self._lower_pairs,
        )
        before = None
        while before != self.best.input and self._left > 0:
            before = self.best.input
            for each in passes:
                if self._left > 0:
                    each()
        return self.best

    def _give_objects(self) -> None:
        """Most of what is undefined and not noticed is done to NULL: give objects, first all at once, then one by one
        where that does no harm. That is less readable, so it is kept only if nothing undefined is done then."""
        pointers = [at for at, leaf in enumerate(self.leaves) if leaf.kind == "choice"]
        given = {at: OWN for at in pointers if self.best.input[at] != OWN}
        found = self._run(_with(self.best.input, given)) if given else self.best
        if not self._does_its_duty(found):
            found = self.best
            for at, raw in given.items():
                record = self._run(_with(found.input, {at: raw})) if self._left > 0 else found
                self._left -= 1
                found = record if self._does_its_duty(record) else found
        if found.risk < self.best.risk:
            self.best, self._rank = found, self._rank_of(found.input)

    def _try(self, values: Input) -> bool:
        """Run the input if it would be simpler; keep it if it still covers what it must."""
        if self._left <= 0 or values in self._tried:
            return False
        new_rank = self._rank_of(values)
        if new_rank >= self._rank:
            return False
        if self._deadline.is_over:
            self._left = 0
            return False
        self._tried.add(values)
        self._left -= 1
        record = self._run(values)
        is_endless = record.ending.outcome is Outcome.TIMED_OUT
        self._left -= ENDLESS if is_endless else record.steps // STEPS
        if not self._does_its_duty(record):
            return False
        self.best, self._rank = record, new_rank
        return True

    def _rank_of(self, values: Input) -> tuple[int, InputRank]:
        """A zero is the simplest of all characters, but not inside of a text that does not end there."""
        zeros = sum(each.read(values).count(0) for each in self.texts.others) if self.texts else 0
        return zeros, input_rank(self.leaves, values)

    def _does_its_duty(self, record: RunRecord) -> bool:
        is_alike = record.ending == self._ending and record.risk <= self.best.risk
        return is_alike and all(mask & record.points for mask in self._obligations)

    def _try_leaf(self, at: int, raw: int) -> bool:
        """Where nothing may be tried any more, thousands of slots must not cost time either."""
        return self._left > 0 and self._try(_with(self.best.input, {at: raw}))

    def _shorten_texts(self) -> None:
        """Delete arguments, and pieces of texts: all, halves, quarters, ... single characters."""
        if not self.texts:
            return
        for at in reversed(range(len(self.texts.read(self.best.input)[0]))):
            arguments, others = self.texts.read(self.best.input)
            self._try(self.texts.write(self.best.input, arguments[:at] + arguments[at + 1 :], others))
        for kind in (0, 1):
            for at in range(len(self.texts.read(self.best.input)[kind])):
                self._shorten(kind, at)

    def _shorten(self, kind: int, at: int) -> None:
        text = self.texts.read(self.best.input)[kind][at]
        size = len(text)
        while size and self._left > 0:
            start = 0
            while start < len(text):
                if self._try_text(kind, at, text[:start] + text[start + size :]):
                    text = self.texts.read(self.best.input)[kind][at]
                else:
                    start += size
            size //= 2

    def _fill_zeros(self) -> None:
        """In a text that does not end at a zero: all at once, or one by one."""
        for at in range(len(self.texts.others)):
            text = self.texts.read(self.best.input)[1][at]
            if any(self._try_text(1, at, text.replace(b"\0", each)) for each in _VISIBLE if 0 in text):
                continue
            for position in [place for place, character in enumerate(text) if not character]:
                text = self.texts.read(self.best.input)[1][at]
                any(self._try_text(1, at, text[:position] + each + text[position + 1 :]) for each in _VISIBLE)

    def _try_text(self, kind: int, at: int, text: bytes) -> bool:
        found = self.texts.read(self.best.input)
        found[kind][at] = text
        return self._try(self.texts.write(self.best.input, *found))

    def _leave_out(self) -> None:
        while any(self._try(values) for values in self._find_shorter(self.best.input)):
            pass

    def _clear_stretches(self) -> None:
        """Give whole stretches their simplest values: all, halves, quarters, ... single leaves."""
        size = len(self.leaves)
        while size:
            for start in range(0, len(self.leaves) if self._left > 0 else 0, size):
                stretch = range(start, min(start + size, len(self.leaves)))
                self._try(_with(self.best.input, {at: self.leaves[at].simplest for at in stretch}))
            size //= 2

    def _simplify_leaves(self) -> None:
        for at, leaf in enumerate(self.leaves if self._left > 0 else ()):
            for raw in simple_values(leaf)[: FEW_CHARACTERS if at in self._in_texts else None]:
                if rank(leaf, raw) >= rank(leaf, self.best.input[at]):
                    break
                if self._try_leaf(at, raw):
                    break

    def _lower_numbers(self) -> None:
        for at, leaf in enumerate(self.leaves):
            if at in self._in_texts:
                continue
            if leaf.is_float:
                self._round_real(at, leaf)
            else:
                self._lower_together([at])
                self._clear_bits(at, leaf)

    def _clear_bits(self, at: int, leaf: LeafType) -> None:
        """A mask (`flags & 0x80`) is not found by bisection: clear bit by bit, the highest first."""
        for bit in reversed(range(leaf.bits - leaf.is_signed)):
            raw = self.best.input[at]
            if raw >> bit & 1 and leaf.number(raw) > 0:
                self._try_leaf(at, raw ^ (1 << bit))

    def _lower_equals(self) -> None:
        """Leaves of one value often must stay equal: `a == b && b == c`."""
        groups: dict[tuple[int, int], list[int]] = {}
        for at, raw in enumerate(self.best.input):
            if at in self._in_texts:
                continue
            groups.setdefault((raw, self.leaves[at].bits), []).append(at)
        for group in groups.values():
            if len(group) > 1:
                self._simplify_together(group)
                self._lower_together(group)

    def _simplify_together(self, group: list[int]) -> None:
        for raw in simple_values(self.leaves[group[0]]):
            if self._try(_with(self.best.input, dict.fromkeys(group, raw))):
                return

    def _lower_together(self, group: Sequence[int]) -> None:
        """Bisect towards zero the number that all leaves of the group have."""
        leaf = self.leaves[group[0]]
        if leaf.is_float:
            return
        start = leaf.number(self.best.input[group[0]])
        fails, holds = 0, abs(start)  # assume that 0 fails: it was tried
        if start < 0 and self._try_number(group, leaf, -start):
            start = -start
        while holds - fails > 1 and self._left > 0:
            middle = (holds + fails) // 2
            if self._try_number(group, leaf, middle if start > 0 else -middle):
                holds = middle
            else:
                fails = middle

    def _try_number(self, group: Sequence[int], leaf: LeafType, number: int) -> bool:
        if not leaf.fits(number):
            return False
        return self._try(_with(self.best.input, dict.fromkeys(group, leaf.raw(number))))

    def _round_real(self, at: int, leaf: LeafType) -> None:
        """Fewer digits, fewest first; then, for a whole number, towards zero."""
        value = leaf.real(self.best.input[at])
        if value != value or value in (float("inf"), float("-inf")):
            return
        for shorter in _rounded(value):
            if self._try_leaf(at, leaf.raw_of_real(shorter)):
                break
        self._lower_real(at, leaf)

    def _lower_real(self, at: int, leaf: LeafType) -> None:
        value = leaf.real(self.best.input[at])
        if value != int(value) or abs(value) > 1e6:
            return
        sign, fails, holds = (1 if value > 0 else -1), 0, abs(int(value))
        while holds - fails > 1 and self._left > 0:
            middle = (holds + fails) // 2
            if self._try_leaf(at, leaf.raw_of_real(float(sign * middle))):
                holds = middle
            else:
                fails = middle

    def _lower_pairs(self) -> None:
        """Keep a difference: lower two leaves by the same amount (`b == a + 7`)."""
        values = self.best.input
        numbers = [at for at, leaf in enumerate(self.leaves) if not leaf.is_float and at not in self._in_texts]
        unusual = [at for at in numbers if values[at] != self.leaves[at].simplest]
        for first, second in _pairs(unusual[:12]):
            one, two = self.leaves[first], self.leaves[second]
            for step in self._steps(first, second):
                x, y = one.number(self.best.input[first]) - step, two.number(self.best.input[second]) - step
                if one.fits(x) and two.fits(y):
                    self._try(_with(self.best.input, {first: one.raw(x), second: two.raw(y)}))

    def _steps(self, first: int, second: int) -> Iterator[int]:
        """First all the way down for either leaf, then by halves."""
        for at in (first, second):
            number = self.leaves[at].number(self.best.input[at])
            while number:
                yield number
                number = int(number / 2) if abs(number) < 1 << 50 else number // 2 + (number < 0)


@lru_cache(maxsize=256)
def simple_values(leaf: LeafType) -> tuple[int, ...]:
    """Raw values worth trying first, most readable first."""
    if leaf.is_float:
        raws = [leaf.raw_of_real(value) for value in _SIMPLE_REALS]
    elif leaf.members:
        raws = list(leaf.members)
    elif leaf.kind == "char":
        raws = list(_SIMPLE_CHARACTERS)
    else:
        raws = [leaf.raw(number) for number in _SIMPLE_NUMBERS if leaf.fits(number)]
    return tuple(sorted(dict.fromkeys(raws), key=lambda raw: rank(leaf, raw)))


def _rounded(value: float) -> Iterator[float]:
    """Simpler numbers near the value or between it and zero, simplest first."""
    yield from (math.copysign(10.0**power, value) for power in range(7) if 10.0**power < abs(value))
    yield float(int(value))
    yield float(int(value) + (1 if value > 0 else -1))
    for digits in range(1, 17):
        yield float(f"{value:.{digits}g}")


def _pairs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((one, two) for position, one in enumerate(numbers) for two in numbers[position + 1 :])


def _with(values: Input, changes: dict[int, int]) -> Input:
    changed = list(values)
    for at, raw in changes.items():
        changed[at] = raw
    return tuple(changed)
