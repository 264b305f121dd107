"""ChangedUnit: a function in both versions, prepared, with its changes and their impact."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.changes.find_changes import find_changes
from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.commands.diff.impact.impact import Impacted, take_back, with_deciders
from tightrope.commands.diff.impact.numbered_code import number_code
from tightrope.commands.diff.versions.pair import Version, about
from tightrope.coverage.objective import Objective
from tightrope.equality.same_hits import Twins
from tightrope.options.options import Options
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_unit
from tightrope.units.prepared import PreparedFile, PreparedUnit


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

    @property
    def doubtful(self) -> tuple[Twins, ...]:
        """Impacted objectives that a formula may take back, and that are not wanted for another reason."""
        wanted = self.impact.deciders if self.options.deciders else {}
        return tuple(each for each in self.impact.doubtful if each[1].id not in wanted)

    def without(self, alike: Container[str]) -> ChangedUnit:
        """The same, if these objectives of the new version are hit by the same inputs as in the old one."""
        return replace(self, impact=take_back(self.impact, alike))


def prepare_both(file: ComparedFile, name: str) -> ChangedUnit:
    """Prepare each version with regard to the inputs of the other, so that both get the same inputs."""
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
    impact = find_impact(old, new, changes, bool(options.checks))
    return ChangedUnit(name, file, old, new, changes, with_deciders(impact) if options.deciders else impact)


def _functions_of(unit: PreparedUnit) -> tuple[str, ...]:
    """The unit and the functions that it may call and that the file or its headers define."""
    own = set(unit.file.ctypes.functions)
    called = [each.name[1:] for each in number_code(unit.program).functions]
    return tuple(dict.fromkeys((unit.interface.name, *(name for name in called if name in own))))
