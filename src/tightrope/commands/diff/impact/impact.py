"""Impact: why an objective of the new version may behave differently from its twin. Impacted: those of a function."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from tightrope.commands.diff.changes.change import Change
from tightrope.equality.same_hits import Twins
from tightrope.location import Location


class How(Enum):
    """How a change affects a place; the value is the word in reports."""

    CHANGED = "changed"  # it was changed or is new
    DATA = "data"  # it reads a value that may differ because of the change
    CONTROL = "control"  # whether it is executed depends on such a value
    ENDS = "ends"  # it follows something that may now end the run, or may no longer end it
    DECIDES = "decides"  # it behaves as before, and decides whether changed code is reached
    OTHER = "unknown"  # not known: everything may be affected


@dataclass(frozen=True, slots=True)
class Link:
    """One step of the chain from a change to an objective."""

    how: How
    location: Location | None  # of what this step affects, in the version that `is_old` tells
    words: str = ""  # what is affected: `limit`, `a < b`
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """The impact on one objective. `chain` starts at the change and ends at the objective."""

    how: How  # of the last step
    change: Change | None  # where the chain starts; None: no single change
    chain: tuple[Link, ...]
    sentence: str  # 'depends on `limit`, changed at line 12'


@dataclass(frozen=True, slots=True)
class Impacted:
    """The impacted objectives of a function, by id."""

    new: Mapping[str, Impact]
    old: Mapping[str, Impact]
    twins: Mapping[str, str]  # id in the new version -> id in the old one, if it has one
    deciders: Mapping[str, Impact] = field(default_factory=dict)  # of all on the way to changed code
    are_same: bool = False  # the compiler generates the same code for both versions
    alike: tuple[str, ...] = ()  # in the new version: dependences lead there, but a formula proves that nothing differs
    initials: tuple[str, ...] = ()  # variables that tests set, and whose initial values changed
    doubtful: tuple[Twins, ...] = ()  # impacted, but a formula may take it back

    @property
    def deciding(self) -> Mapping[str, Impact]:
        """Not impacted, but on the way to changed code."""
        return {name: impact for name, impact in self.deciders.items() if name not in self.new}


def with_deciders(impact: Impacted) -> Impacted:
    """The same, with the deciders among the impacted objectives."""
    return replace(impact, new={**impact.new, **impact.deciding})


def take_back(impact: Impacted, alike: Container[str]) -> Impacted:
    """The same without objectives that the same inputs hit in both versions: their ids in the new one."""
    taken = [other.id for _, other in impact.doubtful if other.id in alike]
    twins = {impact.twins[name] for name in taken}
    new = {name: each for name, each in impact.new.items() if name not in taken}
    old = {name: each for name, each in impact.old.items() if name not in twins}
    return replace(impact, new=new, old=old, alike=tuple(taken))
