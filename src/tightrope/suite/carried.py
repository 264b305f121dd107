"""Tests that there were before and that go into the new suite: each keeps its name and its input."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from tightrope.running.run_record import RunRecord


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run that becomes a test of this name; '': of whatever name fits."""

    name: str
    run: RunRecord


@dataclass(frozen=True, slots=True)
class Carried:
    """`taken` are names that no new test gets: those of all tests that there were."""

    runs: tuple[NamedRun, ...] = ()
    taken: Collection[str] = frozenset()
    serves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # name -> objectives that it helps to cover


NONE_CARRIED = Carried()
