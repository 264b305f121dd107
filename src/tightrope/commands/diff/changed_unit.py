"""ChangedUnit: a function in both versions, prepared, with its changes and their impact."""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.find_changes import find_changes
from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.commands.diff.impact.impact import Impacted, with_deciders
from tightrope.commands.diff.impact.numbered_code import number_code
from tightrope.commands.diff.versions.pair import Version, about
from tightrope.coverage.objective import Objective
from tightrope.equality.same_hits import SameHits
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile, PreparedUnit

SHARE_OF_FORMULA = 0.1  # of the time, to prove that what dependences call impacted is not


@dataclass(frozen=True, slots=True)
class ComparedFile:
    """A C file that both versions have."""

    old: PreparedFile
    new: PreparedFile
    old_version: Version
    new_version: Version


@dataclass(frozen=True, slots=True)
class ChangedUnit:
    name: str
    file: ComparedFile
    old: PreparedUnit
    new: PreparedUnit
    changes: tuple[Change, ...]
    impact: Impacted
    inputs: tuple[Input, ...] = ()  # of new: they hit impacted objectives, as a formula foresees

    @property
    def old_options(self) -> Options:
        return self.file.old_version.options.for_function(self.name)

    @property
    def options(self) -> Options:
        return self.file.new_version.options.for_function(self.name)

    @property
    def is_comparable(self) -> bool:
        """True if both versions can be called in the same way."""
        return not any(each.kind is ChangeKind.SIGNATURE and each.function == self.name for each in self.changes)

    @property
    def impacted(self) -> tuple[Objective, ...]:
        return tuple(each for each in self.new.objectives if each.id in self.impact.new)

    @property
    def removed(self) -> tuple[Objective, ...]:
        """Impacted objectives of the old version that have no twin in the new one."""
        twins = set(self.impact.twins.values())
        return tuple(each for each in self.old.objectives if each.id in self.impact.old and each.id not in twins)


def prepare_both(file: ComparedFile, name: str, *, has_formula: bool = True) -> ChangedUnit:
    """Prepare each version with regard to the inputs of the other, so that both get the same inputs. `has_formula`: a
    formula of both versions checks what dependences call impacted."""
    old_options = file.old_version.options.for_function(name)
    options = file.new_version.options.for_function(name)
    with about(file.old_version, "old"):
        beside = look_at_other_version(file.old, name, old_options)
    with about(file.new_version, "new"):
        new = prepare_unit(file.new, name, options, beside)
        beside = look_at_other_version(file.new, name, options)
    with about(file.old_version, "old"):
        old = prepare_unit(file.old, name, old_options, beside)
    changes = find_changes(file.old, file.new, _functions_of(old), _functions_of(new))
    hits = SameHits(options, SHARE_OF_FORMULA * options.time_limit)
    prove_alike = hits.prove if has_formula and options.engine != "search" else None
    impact = find_impact(old, new, changes, bool(options.checks), prove_alike)
    impact = with_deciders(impact) if options.deciders else impact
    return ChangedUnit(name, file, old, new, changes, impact, tuple(hits.inputs))


def _functions_of(unit: PreparedUnit) -> tuple[str, ...]:
    """The unit and the functions that it may call and that the file or its headers define."""
    own = set(unit.file.ctypes.functions)
    called = [each.name[1:] for each in number_code(unit.program).functions]
    return tuple(dict.fromkeys((unit.interface.name, *(name for name in called if name in own))))
