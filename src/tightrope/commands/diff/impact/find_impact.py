"""Which objectives of a changed function may behave differently, and why.

An objective of the new version is *not* impacted only if it has a twin in the old one, which is decided at the same
places of the code, and if no change affects any of these places (propagate.py). Then the same inputs cover both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.changes.change import Change
from tightrope.commands.diff.impact.alignment import Alignment, align, changed_globals, same_sides
from tightrope.commands.diff.impact.deciders import find_all_deciders
from tightrope.commands.diff.impact.dependence import Dependence, find_dependence
from tightrope.commands.diff.impact.impact import How, Impact, Impacted
from tightrope.commands.diff.impact.instruction_keys import InstructionKeys
from tightrope.commands.diff.impact.numbered_code import NumberedCode, number_code
from tightrope.commands.diff.impact.objective_places import ObjectivePlaces
from tightrope.commands.diff.impact.propagate import AffectedCode, Seed, VersionPlace, find_seeds, propagate
from tightrope.commands.diff.impact.reasons import Reasons
from tightrope.commands.diff.impact.side_effects import CertainSize
from tightrope.coverage.objective import Objective
from tightrope.equality.correspondence import Inventory
from tightrope.harness.fill import object_name
from tightrope.inputs.shape import BYTE, objects_of
from tightrope.library.libc_models import EXACT_MATH, HARMLESS, LOOKUPS, NUMERIC
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.declarations.declare import size_of
from tightrope.program.marks.marks import CONDITION
from tightrope.units.prepared import PreparedUnit

SILENT = frozenset((*NUMERIC, *EXACT_MATH, *HARMLESS, *LOOKUPS))
_ORDINAL = re.compile(r"#\d+$")
_PLACE = re.compile(r"(?:[^:>]*[.+-]\d+>?)+")  # '+3.9', 'body.inc.7.3', '+0.7>+3.9'
_ABOUT_VARIABLES = ("all-defs", "def-use")


def find_impact(old: PreparedUnit, new: PreparedUnit, changes: Sequence[Change], has_checks: bool = False) -> Impacted:
    """What the changes may affect. `changes` are only for the reasons: differences are found in the compiled code."""
    by_order = _same_variables(old, new)
    before, after = _AnalysedVersion.of(old, has_checks, by_order), _AnalysedVersion.of(new, has_checks, by_order)
    alignment = align(before.keys, after.keys)
    seeds = list(find_seeds(alignment, before.dependence, after.dependence))
    affected = propagate(alignment, before.dependence, after.dependence, seeds)
    reasons = Reasons(affected, changes, SourceText().condition)
    judge = _ObjectiveJudge(before, after, alignment, affected, reasons)
    if not seeds:  # statements may have moved to other lines, which is not a change
        return Impacted({}, {}, judge.twins, are_same=True)
    impacts = {one.id: impact for one in new.objectives if (impact := judge.impact(one)) is not None}
    earlier = {one.id: impact for one in old.objectives if (impact := judge.impact_of_old(one, impacts)) is not None}
    deciders = judge.deciders(find_all_deciders(after.dependence, _changed(alignment, seeds)))
    initials, doubtful = _initials(alignment, new), tuple(judge.doubtful(impacts))
    return Impacted(impacts, earlier, judge.twins, deciders, initials=initials, doubtful=doubtful)


def _changed(alignment: Alignment, seeds: Sequence[Seed]) -> Iterator[int]:
    """The places in the new version that changed."""
    for is_old, place in (seed.spot for seed in seeds):
        if not is_old:
            yield place
        elif place in alignment.new_of:
            yield alignment.new_of[place]


def _initials(alignment: Alignment, new: PreparedUnit) -> tuple[str, ...]:
    """Changed globals that are inputs: runs set them and cannot show the change."""
    names = {one.name.lstrip("@") for _, one in changed_globals(alignment)}
    return tuple(root.name for root in new.shape.globals if root.name in names)


def _has_lengths(unit: PreparedUnit) -> bool:
    """True if the number of some elements was chosen."""
    return any(True for _ in _certain_sizes(unit))


def _certain_sizes(unit: PreparedUnit) -> Iterator[tuple[str, CertainSize]]:
    """Of objects whose number of elements was chosen, by the name of the global that the driver has for them."""
    for each in objects_of(unit.shape):
        if each.count > 1 or each.flexible:
            element = 1 if each.target == BYTE else max(1, size_of(unit.ctypes, each.target))
            yield f"@{object_name(each.object)}", CertainSize(element, 1 if each.flexible else element)


def _same_variables(old: PreparedUnit, new: PreparedUnit) -> frozenset[str]:
    """Functions with the same number of variables in both versions: different names mean that they were renamed."""
    before, after = _count_variables(old), _count_variables(new)
    return frozenset(name for name, count in after.items() if before.get(name) == count)


def _count_variables(unit: PreparedUnit) -> Counter[str]:
    return Counter(function for function, _ in {(each.function, each.variable) for each in unit.marks.accesses})


@dataclass(slots=True)
class _AnalysedVersion:
    unit: PreparedUnit
    code: NumberedCode
    keys: InstructionKeys
    dependence: Dependence
    places: ObjectivePlaces

    @classmethod
    def of(cls, unit: PreparedUnit, has_checks: bool, by_order: frozenset[str]) -> _AnalysedVersion:
        code = number_code(unit.program)
        there = Inventory.of(unit)
        slots = {slot.number: str((key, slot.scalar)) for key, slot in there.slots.items()}
        paths = [slots.get(each.number, each.path) for each in unit.driver.slots]
        symbols = {f"@{object_name(name)}": f"@object {key}" for name, key in there.objects.items()}
        dependence = find_dependence(code, SILENT, has_checks, dict(_certain_sizes(unit)))
        where = ObjectivePlaces(code, unit.woven.points, unit.marks)
        return cls(unit, code, InstructionKeys(code, unit.marks, paths, symbols, by_order), dependence, where)

    def kind(self, objective: Objective) -> object:
        """The kind of an objective without its place: function, criterion and the rest of its id. Variables may be
        renamed."""
        function, criterion, *rest = _ORDINAL.sub("", objective.id).split(":")
        labels = self.unit.woven.points.labels
        if objective.points and objective.points[0] in labels:
            return (function, self.keys.label(objective.points[0] - labels.start))
        names = 1 if criterion in _ABOUT_VARIABLES else 0
        return (function, criterion, *(word for word in rest[names:] if not _PLACE.fullmatch(word)))


@dataclass(slots=True)
class _ObjectiveJudge:
    """Finds the twins of the objectives of the new version, and whether they are impacted."""

    old: _AnalysedVersion
    new: _AnalysedVersion
    alignment: Alignment
    affected: AffectedCode
    reasons: Reasons
    _twins: dict[str, Objective] = field(default_factory=dict)
    _news: dict[str, str] = field(default_factory=dict)  # id in the old version -> id in the new one

    def __post_init__(self) -> None:
        for has_text in (True, False):  # of several at the same places, first those with the same text
            self._pair_exactly(has_text)
        self._pair_rest()
        self._news = {old: new for new, old in self.twins.items()}

    def _pair_exactly(self, has_text: bool) -> None:
        taken = {each.id for each in self._twins.values()}
        others: dict[object, list[Objective]] = {}
        for objective in self.old.unit.objectives:
            if objective.id not in taken:
                key = (self.old.kind(objective), self._old_places(objective), objective.text if has_text else "")
                others.setdefault(key, []).append(objective)
        for objective in self.new.unit.objectives:
            key = (self.new.kind(objective), self._new_places(objective), objective.text if has_text else "")
            if objective.id not in self._twins and others.get(key):
                self._twins[objective.id] = others[key].pop(0)

    def _pair_rest(self) -> None:
        """Pair objectives without an exact twin by id, as a hint for users."""
        taken = {each.id for each in self._twins.values()}
        rest = {each.id: each for each in self.old.unit.objectives if each.id not in taken}
        for objective in self.new.unit.objectives:
            if objective.id not in self._twins and objective.id in rest:
                self._twins[objective.id] = rest[objective.id]

    @property
    def twins(self) -> dict[str, str]:
        """Old ids by new ids, in the order of the new version."""
        known = self.new.unit.objectives
        return {each.id: self._twins[each.id].id for each in known if each.id in self._twins}

    def impact(self, objective: Objective) -> Impact | None:
        twin = self._twins.get(objective.id)
        if twin is None:
            return self._impact_of_new(objective)
        mine, theirs = self._spots(objective, self.new, False), self._spots(twin, self.old, True)
        affected = [spot for spot in (*mine, *theirs) if spot in self.affected.steps]
        if affected:
            return self.reasons.of(affected)
        if not mine and not theirs and not objective.points:
            return None  # it cannot be observed in either version
        if self._new_places(objective) != self._old_places(twin) or not self._are_decided_alike(objective, twin):
            return self.reasons.unclear()
        return None

    def deciders(self, deciders: frozenset[int]) -> dict[str, Impact]:
        """Objectives that belong to deciders of changed code."""
        code = self.new.code
        tested = deciders | {mark for mark in self._marks() if code.definition(mark) in deciders}
        places, every = self.new.places, self.new.unit.objectives
        return {each.id: self.reasons.decides() for each in every if (places.of(each) or frozenset()) & tested}

    def _marks(self) -> Iterator[int]:
        code = self.new.code
        return (place for place, each in enumerate(code.instructions) if each.callee == CONDITION)

    def _impact_of_new(self, objective: Objective) -> Impact:
        affected = [spot for spot in self._spots(objective, self.new, False) if spot in self.affected.steps]
        return self.reasons.of(affected) if affected else self.reasons.new()

    def doubtful(self, impacts: Mapping[str, Impact]) -> Iterator[tuple[Objective, Objective]]:
        """Old and new objectives to which dependences lead, but whose own code was not changed. A caller may pass fewer
        elements than were tried: then an affected access may end a run that the formula takes for complete."""
        has_lengths = any(_has_lengths(version.unit) for version in (self.old, self.new))
        for objective in self.new.unit.objectives:
            found, twin = impacts.get(objective.id), self._twins.get(objective.id)
            if found is None or twin is None or found.how not in (How.DATA, How.CONTROL, How.ENDS):
                continue
            spots = (*self._spots(objective, self.new, False), *self._spots(twin, self.old, True))
            if not has_lengths or self.affected.behind.isdisjoint(spots):
                yield twin, objective

    def impact_of_old(self, objective: Objective, impacts: Mapping[str, Impact]) -> Impact | None:
        """The impact of its twin; otherwise that of code that only the old version has."""
        twin = self._news.get(objective.id)
        if twin is not None and twin in impacts:
            return impacts[twin]
        spots = [spot for spot in self._spots(objective, self.old, True) if spot in self.affected.steps]
        if spots:
            return self.reasons.of(spots)
        return None if twin else self.reasons.gone()

    def _spots(self, objective: Objective, version: _AnalysedVersion, is_old: bool) -> list[VersionPlace]:
        """The places that decide it, and the calls of their functions."""
        places = sorted(version.places.of(objective) or ())
        calls = sorted({version.code.called(version.code.function_of(place)) for place in places})
        return [(is_old, place) for place in (*places, *calls)]

    def _old_places(self, objective: Objective) -> object:
        """Its places for comparison: instructions, and of each block the first instruction with a partner."""
        places = self.old.places.own(objective)
        return None if places is None else self._named(self.old.code, places, lambda place: place)

    def _new_places(self, objective: Objective) -> object:
        places = self.new.places.own(objective)
        if places is None:
            return None
        return self._named(self.new.code, places, lambda place: self.alignment.old_of.get(place, -1 - place))

    def _named(self, code: NumberedCode, places: frozenset[int], name: Callable[[int], int]) -> frozenset[object]:
        found: set[object] = set()
        partners = self.alignment.new_of if code is self.old.code else self.alignment.old_of
        for place in places:
            if place < len(code.instructions):
                found.add(name(place))
                continue
            body = code.body(place - len(code.instructions))
            first = next((each for each in body if each in partners), None)
            found.add(("block", name(first) if first is not None else None))
        return frozenset(found)

    def _are_decided_alike(self, objective: Objective, twin: Objective) -> bool:
        """True if the same branches decide the blocks of both; instructions were checked before."""
        mine = self._decisions(self.new.code, self.new.places.of(objective))
        theirs = self._decisions(self.old.code, self.old.places.of(twin))
        return len(mine) == len(theirs) and all(
            any(same_sides(self.alignment, one, other) for one in theirs) for other in mine
        )

    def _decisions(self, code: NumberedCode, places: frozenset[int] | None) -> list[frozenset[tuple[int, int]]]:
        blocks = [place - len(code.instructions) for place in places or () if place >= len(code.instructions)]
        return [code.deciding(code.starts[block]) for block in blocks]
