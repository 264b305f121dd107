"""Telling values: a test whose inputs are all zero passes in many wrong programs. After shrinking, inputs that nothing
asks for get small values that differ from each other, as long as the run does the same for coverage and ends alike:

    int f(struct frame *frame, int gain)      frame = {.id = 2, .data = {3, 5, 7, 11}}, gain = 13      not {0}, 0

Integers get primes, which rise in the order of the inputs, so that `low` stays below `high`; floats a half less, or
fractions, if the results say more then; a text is "abc" (the next one "abd", if the results say more then), or "12:34"
where digits are asked for; a count is 3. In every other test, numbers are below zero where they can be. What stays:
bool, enum, which object a pointer leads to, and integers that shrinking left different from zero, because most likely
they are at a boundary. Of floats, 1 and infinity are no boundaries. Unsigned numbers get more bits where that shows.

Few runs: first all inputs at once; if that does not work, halves of them, and halves of those. What is left gets values
that are smaller still, in the same way; then zeros change together, as in `a == b` or `a + b == 15`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from tightrope.deadline import NEVER, Deadline
from tightrope.inputs.scalars import Input, Scalar, bits_to_float, float_to_bits
from tightrope.inputs.sequence_inputs import idle_parameters, steering_inputs
from tightrope.inputs.shape import (
    Elements,
    InputShape,
    Leaf,
    PointsTo,
    Shape,
    children,
    live_objects,
    objects_of,
    outputs_of,
)
from tightrope.inputs.stub_answers import unused_answers
from tightrope.inputs.whole_program import is_provided
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.suite.reduce import Kept
from tightrope.suite.shrink import STEPS, Run

MOST_INPUTS = 64  # of one test that get another value
MOST_ELEMENTS = 8  # of an array
MOST_STUCK = 4  # zeros that are changed together with another input
MOST_PARTNERS = 3  # that are tried
TEXT = b"abc"
MOST_TEXTS = 20  # different ones: "abc", "abd", "abe" ...
MOST_RUNS = 250
MOST_OBSERVED = 24  # runs of which more than the outputs is looked at
FEW = 3  # elements, where an input counts them
LARGE = 100.5
_LARGEST_PRIME = 1000
BYTE = 8
HALF_BYTE = 4
_BYTES = (0xED, 0xB7, 0xDE, 0x7B, 0xF9, 0x9F, 0xF6, 0x6F, 0xEB, 0xBD, 0xD7, 0x7E)  # six bits each
_FRACTIONS = (0.5, 0.25, 0.75, 0.125, 0.375, 0.625)

Changes = dict[int, int]  # slot -> raw value
Observe = Callable[[RunRecord], frozenset[int]]


@dataclass(frozen=True, slots=True)
class TellingInput:
    """A slot that may get a telling value. `letter`: it is this character of a text, counted from 0; `most`: it counts
    elements, of which there are so many."""

    slot: int
    scalar: Scalar
    letter: int | None = None
    most: int | None = None

    @property
    def is_plain(self) -> bool:
        return self.letter is None and self.most is None

    @property
    def is_integer(self) -> bool:
        return self.is_plain and self.scalar.kind in ("signed", "unsigned")

    def fits(self, number: int) -> bool:
        return number >> (self.scalar.bits - self.scalar.is_signed) == 0

    def is_free(self, raw: int) -> bool:
        """Whether nothing seems to ask for this value: it is the simplest, also of digits or letters."""
        if self.scalar.kind == "char" and raw in (ord("0"), ord("a")):
            return True
        if self.letter is not None and self.letter >= len(TEXT):
            return False
        if self.most is not None:
            return raw in (0, 1)
        if self.scalar.kind != "float":
            return raw == 0
        value = bits_to_float(raw & self.scalar.mask, self.scalar.bits)
        return value in (0.0, 1.0, -1.0) or not math.isfinite(value)


def find_telling_inputs(shape: InputShape, record: RunRecord) -> tuple[TellingInput, ...]:
    """The inputs of a run that may get telling values, in the order of the C."""
    return tuple(each for each in find_changeable_inputs(shape, record) if each.is_free(record.input[each.slot]))


def find_changeable_inputs(shape: InputShape, record: RunRecord) -> tuple[TellingInput, ...]:
    """The numbers among the inputs of a run, in the order of the C: without objects that no pointer leads to, and
    answers of stubs that were not called. Of an array, only the first few."""
    outputs = [output.path for output in outputs_of(shape)]
    unused = unused_answers(shape, list(zip(outputs, record.outputs, strict=False)))
    live = live_objects(shape, record.input, unused)
    dead = {slot for node in objects_of(shape) if node.object not in live for slot in _slots_of(node)}
    skipped = {root.name for root in shape.roots if is_provided(root) or root.is_argument} | unused
    skipped |= idle_parameters(shape, record.input) | steering_inputs(shape)
    found = (each for root in shape.roots if root.name not in skipped for each in _inputs_in(root.shape))
    return tuple(each for each in found if each.slot not in dead)


def _inputs_in(shape: Shape) -> Iterator[TellingInput]:
    if isinstance(shape, Leaf):
        if shape.slot is not None and _may_change(shape.scalar):
            yield TellingInput(shape.slot, shape.scalar, None, shape.most)
        return
    below = [child for child, _ in children(shape, "", str)]
    is_array = isinstance(shape, Elements) or (isinstance(shape, PointsTo) and shape.count > 1)
    for at, child in enumerate(below[:MOST_ELEMENTS] if is_array else below):
        if is_array and isinstance(child, Leaf) and child.scalar.kind == "char":
            if child.slot is not None and at < len(below) - 1:
                yield TellingInput(child.slot, child.scalar, at)
        else:
            yield from _inputs_in(child)


def _may_change(scalar: Scalar) -> bool:
    is_number = scalar.kind in ("signed", "unsigned", "char") and scalar.bits > 1
    return is_number or (scalar.kind == "float" and scalar.bits in (32, 64))


def count_computed_values(run: RunRecord) -> int:
    """How much a run tells, as far as one can see without other programs: the different values that it computed, that
    is, left in outputs and did not find among its inputs."""
    return len(set(run.outputs) - set(run.input) - {0, 1, None})


def tell(
    kept: Kept,
    shape: InputShape,
    run: Run,
    *,
    same: int,
    is_negative: bool = False,
    max_runs: int = MOST_RUNS,
    deadline: Deadline = NEVER,
    observe: Observe | None = None,
) -> RunRecord:
    """The run with telling values. It still hits all points of the mask `same` that it hit before. `is_negative`:
    numbers below zero where possible, so that not all tests of a suite have the same signs. `observe`: what
    else than outputs a run computes."""
    record = kept.run
    if record.ending.outcome is not Outcome.RETURNED or deadline.is_over:
        return record
    inputs = find_telling_inputs(shape, record)
    duties = (*kept.obligations, *_single_points(record.points & same))
    teller = _Teller(record, duties, run, max_runs, deadline, observe)
    if is_negative:
        answers = {one.slot for root in shape.roots if root.answers_of for one in _inputs_in(root.shape)}
        own = [each for each in inputs if each.slot not in answers]  # negative answers often say that a call failed
        teller.change(dict(islice(_choose_negative_values(own, record.input), MOST_INPUTS)))
        inputs = tuple(each for each in inputs if teller.best.input[each.slot] == record.input[each.slot])
    large, mixed = (
        dict(islice(_choose_values(inputs, record.input, has_fractions), MOST_INPUTS))
        for has_fractions in (False, True)
    )
    if large == mixed:
        teller.change(large)
    elif not teller.take_better(large, mixed):
        teller.change(mixed)
    left = [each for each in inputs if each.is_plain and teller.best.input[each.slot] == record.input[each.slot]]
    teller.change(dict(islice(_choose_small_values(left), MOST_INPUTS)))
    ends = dict(_choose_ends(inputs, teller.best.input))
    if ends:
        teller.tell_more(ends)
    _widen(teller, find_changeable_inputs(shape, record)[:MOST_INPUTS], is_negative)
    _change_together(teller, [each for each in find_changeable_inputs(shape, record) if each.is_integer])
    return teller.best


def _change_together(teller: _Teller, integers: Sequence[TellingInput]) -> None:
    """Zeros that cannot change alone: all to the same number, because they must be equal; or one together with another
    input that becomes as much smaller or larger, because their sum or difference is asked for."""
    stuck = [each for each in integers if not teller.best.input[each.slot]]
    if len(stuck) > 1:
        prime = next(prime for prime in _primes() if prime not in teller.best.input)
        teller.change({each.slot: prime for each in stuck[:MOST_INPUTS] if each.fits(prime)})
    for one in [each for each in stuck if not teller.best.input[each.slot]][:MOST_STUCK]:
        others = [each for each in integers if teller.best.input[each.slot] and each is not one]
        values = teller.best.input
        prime = next(prime for prime in _primes() if prime not in values)
        ways = ((other, values[other.slot] + step) for other in others[:MOST_PARTNERS] for step in (-prime, prime))
        for other, moved in ways if one.fits(prime) else ():
            raw = moved & other.scalar.mask
            if raw and teller.take_better({one.slot: prime, other.slot: raw}):
                break


def _widen(teller: _Teller, inputs: Sequence[TellingInput], is_inverted: bool) -> None:
    """Bits in every byte of numbers that nothing asks for, where the results say more then: parts of a number are
    stored apart, or a mask is applied. Of other numbers, bits that the function ignores are set, because it may be
    wrong to ignore so many of them, or so few. `is_inverted`: few bits instead of most, because the function may set
    some itself."""
    before, flip = teller.best, -is_inverted
    free = [each for each in inputs if each.is_free(teller.first.input[each.slot])]
    patterns = dict(_choose_patterns(free, flip))
    if patterns and teller.may_tell_more(patterns):
        for slot, pattern in patterns.items():
            teller.tell_more({slot: pattern})
    for each in inputs:
        bits = each.scalar.bits - each.scalar.is_signed
        number = teller.best.input[each.slot]
        if each.is_integer and bits >= BYTE - 1 and 0 < number < 1 << bits and number == before.input[each.slot]:
            _set_ignored_bits(teller, each.slot, (_pattern(each.slot) ^ flip) & (1 << bits) - 1)


def _choose_patterns(inputs: Sequence[TellingInput], flip: int) -> Iterator[tuple[int, int]]:
    """Not for numbers that may be below zero: people calculate with them."""
    at = 0
    for each in inputs:
        if each.is_integer and not each.scalar.is_signed and each.scalar.bits >= BYTE:
            yield each.slot, (_pattern(at) ^ flip) & each.scalar.mask
            at += each.scalar.bits // BYTE


def _set_ignored_bits(teller: _Teller, slot: int, pattern: int) -> None:
    """If a mask or a narrow type leaves only the lower bits of a number: the others are set where they change nothing,
    neither beside this number nor beside zero, though the lower ones do."""
    number = teller.best.input[slot]
    uppers = [pattern >> kept << kept for kept in range(0, pattern.bit_length(), HALF_BYTE)]
    fitting = [each for each in uppers if each & -each > number]
    if not fitting or not teller.is_alike({slot: number | fitting[-1]}, slot) or teller.is_alike({slot: 0}, slot):
        return
    for upper in fitting:
        if teller.is_alike({slot: number | upper}, slot):
            if teller.is_like_zero(slot, upper):
                teller.change({slot: number | upper})
            return


def _pattern(start: int) -> int:
    """Eight bytes with most bits set, each with other ones."""
    return int.from_bytes(bytes(_BYTES[(start + at) % len(_BYTES)] for at in range(8)), "little")


def _slots_of(node: PointsTo) -> Iterator[int]:
    for element in node.elements:
        yield from (each.slot for each in _inputs_in(element))


def _single_points(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _choose_values(inputs: Sequence[TellingInput], values: Input, has_fractions: bool) -> Iterator[tuple[int, int]]:
    """Slot and raw value. Values that the input has already are left out."""
    taken = set(values)
    primes = [prime for prime in _primes() if prime not in taken]
    used = 0
    for each in inputs:
        if each.scalar.kind == "char" and values[each.slot]:
            first, count = (ord("1"), 9) if values[each.slot] == ord("0") else (ord("a"), 26)
            yield each.slot, first + used % count
            used += 1
        elif each.letter is not None:
            yield each.slot, TEXT[each.letter]
        elif each.most is not None:
            if each.most >= FEW:
                yield each.slot, FEW
        else:
            prime, raw = primes[used % len(primes)], values[each.slot]
            if each.scalar.kind == "float":
                fraction = _FRACTIONS[used % len(_FRACTIONS)] if has_fractions else None
                yield each.slot, _telling_float(each.scalar, raw, prime, fraction)
            else:
                yield each.slot, _telling_integer(each.scalar, prime, used)
            used += 1


def _choose_ends(inputs: Sequence[TellingInput], values: Input) -> Iterator[tuple[int, int]]:
    """Ends by which texts differ that are alike: "abc", "abd", "abe" ..."""
    ends = [each for each in inputs if each.letter == len(TEXT) - 1 and values[each.slot] == TEXT[-1]]
    yield from ((each.slot, TEXT[-1] + number) for number, each in enumerate(ends[:MOST_TEXTS]) if number)


def _telling_float(scalar: Scalar, raw: int, prime: int, fraction: float | None) -> int:
    """A fraction stands for zero only: 1 is the simplest value of something that must not be zero, or be larger."""
    before = bits_to_float(raw & scalar.mask, scalar.bits)
    if not math.isfinite(before):
        return float_to_bits(math.copysign(LARGE, before), scalar.bits)
    if before == 0.0 and fraction is not None:
        return float_to_bits(fraction, scalar.bits)
    return float_to_bits(math.copysign(prime - 0.5, before), scalar.bits)


def _telling_integer(scalar: Scalar, prime: int, used: int) -> int:
    if scalar.kind == "char":
        return ord("a") + used % 26
    room = scalar.bits - scalar.is_signed
    return prime if prime >> room == 0 else 1 + used % ((1 << room) - 1)


def _choose_negative_values(inputs: Sequence[TellingInput], values: Input) -> Iterator[tuple[int, int]]:
    """Rising, too: -7, -5, -3, -2."""
    taken = {*values}
    chosen = [each for each in inputs if each.is_plain and each.scalar.kind in ("signed", "float")][:MOST_INPUTS]
    primes = list(islice((prime for prime in _primes() if prime not in taken), len(chosen)))
    for each, prime in zip(chosen, reversed(primes), strict=False):
        if each.scalar.kind == "float":
            yield each.slot, float_to_bits(0.5 - prime, each.scalar.bits)
        elif prime >> (each.scalar.bits - 1) == 0:
            yield each.slot, -prime & each.scalar.mask


def _choose_small_values(inputs: Sequence[TellingInput]) -> Iterator[tuple[int, int]]:
    """For inputs that cannot be large: positions in a small array, numbers whose sum has a limit."""
    for at, each in enumerate(inputs):
        if each.scalar.kind == "float":
            yield each.slot, float_to_bits(_FRACTIONS[at % len(_FRACTIONS)], each.scalar.bits)
        elif each.scalar.kind != "char":
            room = each.scalar.bits - each.scalar.is_signed
            yield each.slot, 1 + at % min(3, (1 << room) - 1)


@cache
def _primes() -> tuple[int, ...]:
    """Those below the largest, in their order."""
    numbers = range(2, _LARGEST_PRIME)
    return tuple(number for number in numbers if all(number % other for other in range(2, math.isqrt(number) + 1)))


class _Teller:
    """Changes as many inputs as possible."""

    def __init__(
        self,
        record: RunRecord,
        duties: Sequence[int],
        run: Run,
        max_runs: int,
        deadline: Deadline,
        observe: Observe | None = None,
    ) -> None:
        self._observe = observe
        self._observations: dict[Input, int] = {}
        self.best = self.first = record
        self._duties = duties
        self._run = run
        self._left = max_runs
        self._deadline = deadline

    def change(self, changes: Changes) -> None:
        """Give these slots these values, or as many of them as possible: halves, quarters, ... single slots."""
        if not changes or not self._may_run:
            return
        changed = self._try(changes)
        middle, pairs = len(changes) // 2, list(changes.items())
        if changed is not None:
            self.best = changed
        elif middle:
            self.change(dict(pairs[:middle]))
            self.change(dict(pairs[middle:]))

    def take_better(self, *all_changes: Changes) -> bool:
        """Change all inputs, in the way that tells most; False if no way is possible."""
        tried = [run for run in map(self._try, all_changes) if run is not None]
        self.best = max(tried, key=count_computed_values, default=self.best)
        return bool(tried)

    def may_tell_more(self, changes: Changes) -> bool:
        """Whether some of these changes may be worth a run: all of them together are, or cannot be tried."""
        tried = self._try(changes) if self._may_run else None
        return tried is None or self._computes_more(tried)

    def tell_more(self, changes: Changes) -> None:
        """Change these inputs if the run computes more then."""
        tried = self._try(changes) if self._may_run else None
        if tried is not None and self._computes_more(tried):
            self.best = tried

    def _computes_more(self, tried: RunRecord) -> bool:
        more = count_computed_values(tried) - count_computed_values(self.best)
        return more > 0 or (more == 0 and self._observed(tried) > self._observed(self.best))

    def _observed(self, run: RunRecord) -> int:
        """How many different numbers it computes beside its outputs; 0 if too many runs were looked at."""
        if self._observe is None or (run.input not in self._observations and len(self._observations) >= MOST_OBSERVED):
            return 0
        if run.input not in self._observations:
            self._left -= 2
            self._observations[run.input] = len(self._observe(run) - set(run.input) - {0, 1})
        return self._observations[run.input]

    def is_alike(self, changes: Changes, slot: int) -> bool:
        """Whether the run with these changes does the same, but for the number of this slot that it leaves as it is."""
        return self._may_run and _is_alike(self._run_with(changes), self.best, slot)

    def is_like_zero(self, slot: int, number: int) -> bool:
        """Whether a number in this slot has the effects of zero."""
        return self._may_run and _is_alike(self._run_with({slot: number}), self._run_with({slot: 0}), slot)

    @property
    def _may_run(self) -> bool:
        return self._left > 0 and not self._deadline.is_over

    def _run_with(self, changes: Changes) -> RunRecord:
        values = list(self.best.input)
        for slot, raw in changes.items():
            values[slot] = raw
        record = self._run(tuple(values))
        self._left -= 1 + record.steps // STEPS
        return record

    def _try(self, changes: Changes) -> RunRecord | None:
        """The run with these changes, if it is as good as the best one."""
        record = self._run_with(changes)
        is_alike = record.ending == self.best.ending and record.risk <= self.best.risk
        return record if is_alike and all(mask & record.points for mask in self._duties) else None


def _is_alike(one: RunRecord, other: RunRecord, slot: int) -> bool:
    """Whether runs do the same, but for an input that both leave as it is."""
    if (one.ending, one.points, len(one.outputs)) != (other.ending, other.points, len(other.outputs)):
        return False
    different = [pair for pair in zip(one.outputs, other.outputs, strict=True) if pair[0] != pair[1]]
    return not different or different == [(one.input[slot], other.input[slot])]
