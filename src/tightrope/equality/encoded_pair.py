"""Two versions of a function in one formula, over inputs that they share (shared_inputs.py).

slots of the formula    0 .. n-1       inputs of new, and inputs of old that are the same
                        n ..           inputs that only old has
                        after these    unconstrained values of both
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tightrope.encoding.comparison import Comparison, Contrast, Observed
from tightrope.encoding.encoding import Departure, EncodingLimits, WhyDeparted
from tightrope.encoding.observer import Observer, OpaqueAnswer
from tightrope.encoding.unit import encode
from tightrope.encoding.values import EncodingTable, Object
from tightrope.equality.shared_inputs import SharedInputs
from tightrope.equality.uninitialised_memory import program_of
from tightrope.expr import plain
from tightrope.expr.build import negate, truth
from tightrope.expr.simplify import any_of, both, either
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input, Slot
from tightrope.library.libc_models import HARMLESS, KEEPS_STATE, MODELLED
from tightrope.options.options import Options
from tightrope.program.flow.points import BlockSide, Points
from tightrope.program.ir.layout import Layout
from tightrope.program.ir.model import Program
from tightrope.program.marks.marks import NOTHING, Marks
from tightrope.program.marks.mutants import REACHED
from tightrope.program.marks.point_graph import PointGraph, build_point_graph
from tightrope.solving.session import Session
from tightrope.units.prepared import PreparedUnit

MOST_USES = 64  # of one encoding
SECONDS_OF_REUSED = 5.0  # that an encoding may take, because many comparisons use it
_TOUCHES_WORLD = frozenset({"stdio_write", "stdio_read", "pthread", "err", "error"})  # files of models


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Both versions, and all their possible differences."""

    shared: SharedInputs
    comparison: Comparison
    contrasts: tuple[Contrast, ...]
    limits: EncodingLimits
    answers: tuple[OpaqueAnswer, ...]
    is_narrow: bool = False  # only inputs for which old is defined, and new gets to what was changed

    @property
    def table(self) -> EncodingTable:
        return self.comparison.table

    @property
    def versions(self) -> tuple[Observed, Observed]:
        return self.comparison.old, self.comparison.new

    def consistency(self) -> Iterator[Term]:
        """Uninterpreted functions: equal arguments give equal answers."""
        for one, other in combinations(self.answers, 2):
            if one.name == other.name:
                pairs = zip(one.arguments, other.arguments, strict=True)
                asked_alike = plain.all_of(self.table, [plain.equals(self.table, *pair) for pair in pairs])
                yield either(
                    self.table, negate(self.table, asked_alike), plain.equals(self.table, one.value, other.value)
                )

    def as_run(self) -> Iterator[Term]:
        """What holds in runs of both versions: uninitialised memory is zero, and inputs that only one version has keep
        their first values."""
        for version in self.versions:
            for term in version.observer.unwritten:
                yield plain.equals(self.table, term, self.table.constant(0, term.bits))
        for term, value in self.lone_inputs():
            yield plain.equals(self.table, term, self.table.constant(value, term.bits))

    def lone_inputs(self) -> Iterator[tuple[Term, int]]:
        """Inputs that only one version has, each with its value in runs."""
        rows = ((self.old_term, self.shared.old_only), (self.new_term, self.shared.new_only))
        return ((make(slot), value) for make, slots in rows for slot, value in slots.items() if slot.scalar.bits)

    def old_term(self, slot: Slot) -> Term:
        return self.table.input(self.comparison.old.observer.slots[slot.number], slot.scalar.bits)

    def new_term(self, slot: Slot) -> Term:
        return self.table.input(self.comparison.new.observer.slots[slot.number], slot.scalar.bits)

    def given(self, values: Input) -> tuple[int, ...] | None:
        """An input of new as slots of the formula; None if old has no such input."""
        match = self.shared.match
        pinned = match.pin(values)
        old = match.to_old(pinned)
        return None if old is None else (*pinned, *(old[slot.number] for slot in self.shared.own_slots))

    @property
    def accepted(self) -> Term:
        """True for inputs that the comparison is about."""
        return both(self.table, self.allowed, self.comparison.new.reached) if self.is_narrow else self.allowed

    @property
    def allowed(self) -> Term:
        """True for inputs that both versions can have, and that no assumption excludes."""
        tied = self.shared.tied(self.table, self.old_term, self.new_term)
        defined = [negate(self.table, self.comparison.old.undefined)] if self.is_narrow else []
        return plain.all_of(self.table, [self.comparison.is_accepted, *tied, *defined])


@dataclass(frozen=True, slots=True)
class PairLevel:
    """One formula of both versions."""

    pair: EncodedPair
    session: Session

    @property
    def departures(self) -> tuple[Departure, ...]:
        return tuple(each for version in self.pair.versions for each in version.encoding.departures)

    @property
    def left_out(self) -> tuple[Departure, ...]:
        """Everything that the formula does not cover."""
        return (*self.departures, *(each for version in self.pair.versions for each in version.encoding.cuts))

    def any_of(self, terms: Sequence[Term]) -> Term:
        return any_of(self.pair.table, terms) if terms else truth(self.pair.table, False)

    def none_of(self, departures: Sequence[Departure]) -> Term:
        return negate(self.pair.table, self.any_of([each.condition for each in departures]))

    def is_exact(self, terms: Sequence[Term]) -> bool:
        encoding = self.pair.comparison.new.encoding
        return all(encoding.is_exact(term) for term in terms)


@dataclass(frozen=True, slots=True)
class EncodableVersion:
    """A version, with a program in which uninitialised locals hold unconstrained values. Its points are the blocks in
    which it was changed, as far as they are marked."""

    unit: PreparedUnit
    program: Program
    points: Points
    graph: PointGraph
    marks: Marks = NOTHING

    @classmethod
    def of(cls, unit: PreparedUnit, options: Options) -> EncodableVersion:
        program = program_of(unit, options)
        points = Points({block: number for number, block in enumerate(_changed_blocks(program))})
        return cls(unit, program, points, build_point_graph(program, unit.function.name, points, NOTHING, ()))

    def padding(self, where: Object) -> frozenset[int]:
        """The padding bytes of a variable."""
        layout, kind = Layout(self.program), self.program.globals[where.name].type
        used = {at + byte for leaf, at in layout.leaves(kind) for byte in range(layout.store_size_of(leaf))}
        return frozenset(range(where.size)) - used


def _changed_blocks(program: Program) -> Iterator[BlockSide]:
    for function in program.functions.values():
        for block in function.blocks:
            if any(each.callee == f"@{REACHED}" for each in block.instructions):
                yield function.name, block.name, None


@dataclass(slots=True)
class _KeptEncoding:
    """The encoding of an old version."""

    observed: Observed
    uses: int = 0


@dataclass(slots=True)
class ReusedVersion:
    """An old version that is compared with many new ones: it is encoded once for all of them. Their terms are in its
    table, so what is the same in several is built once, too, and asked once."""

    version: EncodableVersion
    possible: dict[Term, bool] = field(default_factory=dict)  # whether loops can continue
    _kept: dict[object, _KeptEncoding] = field(default_factory=dict)

    def find(self, key: object) -> _KeptEncoding | None:
        """What is kept for these slots and limits. After some uses it is dropped: tables grow."""
        kept = self._kept.get(key)
        if kept is not None and kept.uses >= MOST_USES:
            self._kept.clear()
            self.possible.clear()
            return None
        return kept

    def keep(self, key: object, observed: Observed) -> _KeptEncoding:
        kept = _KeptEncoding(observed)
        if all(each.why is not WhyDeparted.BUDGET for each in observed.encoding.departures):
            self._kept[key] = kept
        return kept


def encode_pair(
    versions: tuple[EncodableVersion, EncodableVersion],
    shared: SharedInputs,
    options: Options,
    limits: EncodingLimits,
    is_possible: Callable[[Term], bool],
    reused: ReusedVersion | None = None,
    *,
    has_contrasts: bool = True,
) -> EncodedPair:
    """Encode both versions with one term table and one numbering of slots. `reused`: the old one, if it was encoded
    before. `has_contrasts`: with everything in which they may differ."""
    old, new = (version.unit for version in versions)
    own = [slot.number for slot in shared.own_slots]
    count = len(new.driver.slots)
    numbers = [shared.slots.get(n, count + own.index(n) if n in own else n) for n in range(len(old.driver.slots))]
    first = count + len(own)
    key = (tuple(numbers), first, limits.iterations, limits.instances, limits.positions, limits.recursion)
    kept = reused.find(key) if reused else None
    if kept is None:
        mine = Observer(numbers, first, _floats(old), _outward(old))
        patient = limits if reused is None else replace(limits, seconds=max(limits.seconds, SECONDS_OF_REUSED))
        observed = _observe(versions[0], mine, options, patient, is_possible, EncodingTable())
        kept = reused.keep(key, observed) if reused else _KeptEncoding(observed)
    one = kept.observed
    answers = [*one.observer.answers]
    theirs = Observer(range(count), first, _floats(new), _outward(new), answers)
    other = _observe(versions[1], theirs, options, limits, is_possible, one.encoding.table)
    kept.uses += 1
    comparison = Comparison(one, other, shared.objects)
    contrasts = tuple(_contrasts(comparison, shared)) if has_contrasts else ()
    return EncodedPair(shared, comparison, contrasts, limits, tuple(answers))


def _observe(
    version: EncodableVersion,
    observer: Observer,
    options: Options,
    limits: EncodingLimits,
    is_possible: Callable[[Term], bool],
    table: EncodingTable,
) -> Observed:
    """Encode one version with an observer."""
    encoding = encode(
        version.program,
        version.points,
        version.marks,
        version.graph,
        version.unit.driver.widths,
        limits,
        checks=options.checks,
        is_possible=is_possible,
        table=table,
        observer=observer,
    )
    return Observed(encoding, observer, version.padding, bool(version.points.numbers))


def _floats(unit: PreparedUnit) -> frozenset[int]:
    return frozenset(output.number for output in unit.driver.outputs if output.scalar.kind == "float")


def _outward(unit: PreparedUnit) -> frozenset[str]:
    """Functions that replace external ones, and library functions whose calls are observable."""
    stubs = {f"@{name}" for stub in unit.shape.stubs if not stub.like for name in stub.symbols}
    functions = unit.program.functions
    touching = {name for name, file in MODELLED.items() if file.model in _TOUCHES_WORLD}
    library = {f"@{name}" for name in (*HARMLESS, *touching, *KEEPS_STATE)}
    return frozenset(stubs | {name for name in library if name not in functions or not functions[name].is_defined})


def _contrasts(comparison: Comparison, shared: SharedInputs) -> Iterator[Contrast]:
    found = [*comparison.outcome()]
    for one, other in shared.outputs:
        found += comparison.output(one, other)
    for path in shared.lone_results:
        found.append(Contrast(f"`{path}`, which only one version has", comparison.both_return, False))
    found += [
        *comparison.result(),
        *comparison.calls(),
        *comparison.memory(),
        comparison.heap(),
        comparison.definedness(),
    ]
    never = comparison.table.constant(0, 1)
    return (each for each in found if each.when is not never)
