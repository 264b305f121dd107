"""Impact: why an objective of the new version may behave differently from its twin. Impacted: all of a function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from tightrope.commands.diff.changes.change import Change
from tightrope.location import Location


class How(Enum):
    """How a change comes to a place; the value is the word that reports use."""

    CHANGED = "changed"  # it is changed, or new, itself
    DATA = "data"  # it reads what the change may have computed differently
    CONTROL = "control"  # whether it is executed depends on such a value
    ENDS = "ends"  # it lies behind something that may now end the run, or not end it any more
    DECIDES = "decides"  # it behaves as before, and decides whether changed code is reached
    OTHER = "unknown"  # it cannot be told how: everything may be affected


@dataclass(frozen=True, slots=True)
class Link:
    """One step of the way from a change to an objective."""

    how: How
    location: Location | None  # of what is affected by this step, in the version that `is_old` says
    words: str = ""  # what is affected: `limit`, `a < b`
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """Of one objective. `chain` starts at the change and ends at the objective."""

    how: How  # of the last step
    change: Change | None  # where it starts; None: no single one
    chain: tuple[Link, ...]
    sentence: str  # 'depends on `limit`, changed at line 12'


@dataclass(frozen=True, slots=True)
class Impacted:
    """Objectives by id."""

    new: Mapping[str, Impact]
    old: Mapping[str, Impact]
    twins: Mapping[str, str]  # id in the new version -> id in the old one, where there is one
    deciding: Mapping[str, Impact] = field(default_factory=dict)  # not impacted, but on the way to changed code
    are_same: bool = False  # the compiler makes the same of both versions
    initials: tuple[str, ...] = ()  # variables that tests set, and that start with something else now


def with_deciders(impact: Impacted) -> Impacted:
    """The same, with what decides whether changed code is reached among what is impacted."""
    return replace(impact, new={**impact.new, **impact.deciding}, deciding={})
