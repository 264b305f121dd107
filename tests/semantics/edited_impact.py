"""Judges what is said of an edit's impact (tightrope/impacted.py) by what runs of both versions do (edited_runs.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from edited_runs import Runner, Runs, Version, find_difference

from tightrope.commands.diff.impact.impact import Impacted


@dataclass
class Judged:
    """What became of the objectives of some edits."""

    edits: int = 0
    objectives: int = 0  # of the new versions
    impacted: int = 0
    alike: int = 0  # of those that dependences lead to; a formula proves that nothing differs
    different: int = 0  # runs say so: the least that must be impacted. Not counted where everything is
    wrong: list[str] = field(default_factory=list)

    def add(self, words: str, runner: Runner, new: Version, impact: Impacted) -> None:
        self.edits += 1
        self.objectives += len(new.unit.objectives)
        self.impacted += len(impact.new)
        self.alike += len(impact.alike)
        self.check_twins(words, runner.old, new, impact)
        if len(impact.new) < len(new.unit.objectives) or len(impact.old) < len(runner.old.unit.objectives):
            different = dict(find_different(runner.old, new, impact, runner.run_both(new)))
            self.different += len(different)
            self.wrong += [f"{words}: {line}" for line in _unsound(impact, different)]

    def check_twins(self, words: str, old: Version, new: Version, impact: Impacted) -> None:
        self.wrong += [f"{words}: {line}" for line in _untwinned(old, new, impact)]

    def join(self, other: Judged) -> None:
        self.edits += other.edits
        self.objectives += other.objectives
        self.impacted += other.impacted
        self.alike += other.alike
        self.different += other.different
        self.wrong += other.wrong

    def __str__(self) -> str:
        return (
            f"{self.edits} edits, {self.objectives} objectives: {self.impacted} impacted, {self.alike} alike, "
            f"{self.different} different in runs, {len(self.wrong)} wrong"
        )


def find_different(old: Version, new: Version, impact: Impacted, runs: Runs) -> Iterator[tuple[str, str]]:
    """Objectives of the new version that other inputs cover than their twins, with such an input."""
    before = {each.id: each for each in old.unit.objectives}
    for objective in new.unit.objectives:
        twin = before.get(impact.twins.get(objective.id, ""))
        difference = find_difference(twin, objective, runs) if twin else ""
        if difference:
            yield objective.id, difference


def _unsound(impact: Impacted, different: dict[str, str]) -> Iterator[str]:
    for name, difference in different.items():
        twin = impact.twins[name]
        if name not in impact.new:
            yield f"{name} is not impacted, but covered in the {difference} (twin: {twin})"
        if twin not in impact.old:
            yield f"{twin} of the old version is not impacted, but covered in the {difference} (twin: {name})"


def _untwinned(old: Version, new: Version, impact: Impacted) -> Iterator[str]:
    """What has no twin is new, or gone, and so impacted; where the compiler makes the same of both versions, only lines
    are others."""
    before, after = ({each.id for each in version.unit.objectives} for version in (old, new))
    if len(set(impact.twins.values())) < len(impact.twins):
        yield "two objectives have one twin"
    for name in sorted(after - impact.twins.keys() - impact.new.keys()) if not impact.are_same else ():
        yield f"{name} has no twin and is not impacted"
    for name in sorted(before - set(impact.twins.values()) - impact.old.keys()) if not impact.are_same else ():
        yield f"{name} of the old version has no twin and is not impacted"
    for name in sorted((impact.new.keys() | impact.twins.keys()) - after) + sorted(impact.old.keys() - before):
        yield f"{name} is no objective"
