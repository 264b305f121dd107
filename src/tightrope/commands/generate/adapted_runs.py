"""Inputs that must fit what others were changed to: a checksum, a length in front of data, the size of a buffer.

    if (crc8(bytes + 1, length + 5) != bytes[6 + length]) return BAD_CRC;

With other values in front of it, the last byte is wrong, and the run ends there. So a test of the frame that is
accepted would keep the bytes that a solver found first: no data, no flags. Where a run with changed inputs comes to a
side of a condition that the run before did not come to, one more input changes: one that makes the sides of the
comparison equal, or neighbours, so that the condition has its old outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from tightrope.commands.generate.moved_values import MOST_SLOTS, moved_values
from tightrope.expr.compiled import compile_values
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable, slots_of, walk
from tightrope.inputs.scalars import Input, Scalar
from tightrope.running.memory_map import EventKind
from tightrope.running.run_record import Outcome, RunRecord
from tightrope.running.runner import Runner, Trace
from tightrope.search.decode import Decoder
from tightrope.units.prepared import PreparedUnit

LEAST_TERMS = 50  # of a condition, by which it looks like a checksum
MOST_ATTEMPTS = 20  # runs like one
MOST_ADAPTED = 4  # inputs of each
MOST_TERMS = 2000  # of a condition
MOST_VALUES = 64  # that are tried for one condition
_COMPARISONS = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)

Sides = frozenset[tuple[int, int]]  # site and outcome of branches


class AdaptedRuns:
    """Runs of a unit that adapt their inputs to those that were changed."""

    def __init__(self, unit: PreparedUnit, runner: Runner) -> None:
        self._runner = runner
        self._scalars = [slot.scalar for slot in unit.driver.slots]
        self._decoder = Decoder(TermTable(), runner.node_bytes)
        self._known: dict[Input, Sides] = {}

    def needs(self, base: RunRecord) -> bool:
        """Whether the path depends on something computed from many inputs: without that, simple changes do."""
        return base.ending.outcome is Outcome.RETURNED and any(
            sum(1 for _ in islice(walk(term), LEAST_TERMS)) == LEAST_TERMS
            for term in dict.fromkeys(term for _, term, _ in self._branches(self._runner.trace(base.input)))
        )

    def like(self, base: RunRecord, same: int) -> Callable[[Input], RunRecord]:
        """Runs an input; if the run misses points of the mask `same` that the base hits, others of its inputs may be
        changed, too: some times, because each costs runs."""
        wanted, left = base.points & same, MOST_ATTEMPTS

        def run(values: Input) -> RunRecord:
            nonlocal left
            record = self._runner.record(values)
            if not wanted & ~record.points or not left:
                return record
            left -= 1
            return self._adapt(record, base.input, wanted)

        return run

    def _adapt(self, record: RunRecord, base: Input, wanted: int) -> RunRecord:
        """The run with adapted inputs, if it hits what is wanted; otherwise the run as it is."""
        if base not in self._known:
            self._known[base] = self._sides(self._runner.trace(base))
        values, fixed = record.input, _changed(base, record.input)
        for _ in range(MOST_ADAPTED):
            found = self._branches(self._runner.trace(values))
            refused = next((term for site, term, side in found if (site, side) not in self._known[base]), None)
            other = self._with_other_outcome(refused, values, fixed) if refused is not None else None
            if other is None:
                break
            fixed |= _changed(values, other)
            values, run = other, self._runner.record(other)
            if not wanted & ~run.points:
                return run
        return record

    def _sides(self, trace: Trace) -> Sides:
        return frozenset((site, side) for site, _, side in self._branches(trace))

    def _branches(self, trace: Trace) -> Iterator[tuple[int, Term, int]]:
        for kind, site, term, side in self._decoder.steps(trace):
            if kind == EventKind.BRANCH and term is not None and term.bits == 1:
                yield site, term, side

    def _with_other_outcome(self, condition: Term, values: Input, fixed: frozenset[int]) -> Input | None:
        """The input with another value in one slot that is not fixed, so that the condition has its other outcome."""
        terms = list(islice(walk(condition), MOST_TERMS))
        if len(terms) == MOST_TERMS:
            return None
        read = compile_values([condition])
        before = read(values)
        for slot, raw in islice(self._candidates(terms, values, fixed), MOST_VALUES):
            changed = (*values[:slot], raw, *values[slot + 1 :])
            if read(changed) != before:
                return changed
        return None

    def _candidates(self, terms: Sequence[Term], values: Input, fixed: frozenset[int]) -> Iterator[tuple[int, int]]:
        """Sides with few inputs come first: what stands alone is compared with what is computed. An element of an array
        depends on all of them and on its index: those that have its value may be the one."""
        parts = [each for each in terms if each.op in _COMPARISONS]
        sides = [(part, arg, part.args[1 - at]) for part in parts for at, arg in enumerate(part.args)]
        for part, mine, theirs in sorted(sides, key=lambda side: side[1].support.bit_count()):
            slots = [slot for slot in slots_of(mine.support) if slot not in fixed and _is_integer(self._scalars[slot])]
            one, other = compile_values([mine, theirs])(values) if slots else (0, 0)
            for slot in slots[:MOST_SLOTS]:
                moved = moved_values(part, self._scalars[slot], values[slot], one, other)
                yield from ((slot, raw) for raw in moved if raw != values[slot])
            for slot in slots[MOST_SLOTS:]:
                if values[slot] == one and not other & ~self._scalars[slot].mask:
                    yield slot, other


def _changed(before: Input, after: Input) -> frozenset[int]:
    return frozenset(slot for slot, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1])


def _is_integer(scalar: Scalar) -> bool:
    return scalar.kind in ("signed", "unsigned", "char") and scalar.bits > 1
