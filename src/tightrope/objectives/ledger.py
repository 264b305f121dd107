"""Ledger: the current verdict of each objective, updated by runs and proofs.

`record` is called once per run, thousands of times per second: a run that brings nothing new costs
two operations on bit masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tightrope.errors import InternalError
from tightrope.objectives.objective import Objective
from tightrope.objectives.verdict import Covered, Infeasible, Proof, Reason, Unknown, Verdict


class ContradictionError(InternalError):
    """A run covered what was proved infeasible: a bug of ours that must never be silent."""


class Ledger:
    """Laws: covered and infeasible are final; a run against a proof raises `ContradictionError`."""

    def __init__(self, objectives: Sequence[Objective]) -> None:
        self.objectives = tuple(objectives)
        self.open_points = 0  # the points that would still cover something
        self._refuted_points = 0
        self._at_point: dict[int, list[Objective]] = {}  # only open objectives
        self._verdicts: dict[str, Verdict] = {}
        for objective in self.objectives:
            self._verdicts[objective.id] = Unknown(Reason.NOT_TRIED)
            self._open(objective)
        for objective in self.objectives:
            if objective.is_constant:
                self.refute(objective, Infeasible(Proof.CONSTANT))

    def record(self, points: int, run: int | str) -> tuple[Objective, ...]:
        """The objectives that this run is the first to cover. `points` has bit p set when p was hit."""
        if points & self._refuted_points:
            raise ContradictionError(self._contradiction(points, run))
        news = points & self.open_points
        if not news:
            return ()
        covered = self._objectives_at(news)
        for objective in covered:
            self._verdicts[objective.id] = Covered((str(run),))
            self._close(objective)
        return covered

    def refute(self, objective: Objective, verdict: Infeasible) -> None:
        """Note a proof that nothing covers the objective."""
        if isinstance(self._verdicts[objective.id], Covered):
            raise ContradictionError(f"{objective.id} is covered and {verdict.proof.value} says that it cannot be")
        self._verdicts[objective.id] = verdict
        self._close(objective)
        self._refuted_points |= objective.mask

    def refute_open(self, proof: Proof) -> None:
        """The proof holds for everything that is still open."""
        for objective in self.open_objectives:
            self.refute(objective, Infeasible(proof))

    def explain_open(self, reason: Reason) -> None:
        """Say why everything that is still open stays unknown."""
        for objective in self.open_objectives:
            self._verdicts[objective.id] = Unknown(reason)

    def explain(self, objective: Objective, reason: Reason) -> None:
        """Say why one objective stays unknown."""
        if isinstance(self._verdicts[objective.id], Unknown):
            self._verdicts[objective.id] = Unknown(reason)

    def withdraw(self, objective: Objective, reason: Reason) -> None:
        """A run covered it, but no test that can be kept does."""
        self._verdicts[objective.id] = Unknown(reason)

    def name_tests(self, objective: Objective, tests: Iterable[str]) -> None:
        """Replace the runs that cover an objective by the tests that were kept for it."""
        self._verdicts[objective.id] = Covered(tuple(tests))

    def verdict(self, objective: Objective) -> Verdict:
        return self._verdicts[objective.id]

    def __iter__(self) -> Iterator[tuple[Objective, Verdict]]:
        return ((objective, self._verdicts[objective.id]) for objective in self.objectives)

    @property
    def is_done(self) -> bool:
        """True when every objective has a final verdict."""
        return not self.open_points

    @property
    def open_objectives(self) -> tuple[Objective, ...]:
        return tuple(each for each in self.objectives if isinstance(self._verdicts[each.id], Unknown))

    def count(self, kind: type[Covered] | type[Infeasible] | type[Unknown]) -> int:
        return sum(isinstance(verdict, kind) for verdict in self._verdicts.values())

    def _open(self, objective: Objective) -> None:
        for point in set(objective.points):
            self._at_point.setdefault(point, []).append(objective)
        self.open_points |= objective.mask

    def _close(self, objective: Objective) -> None:
        for point in set(objective.points):
            waiting = self._at_point.get(point, [])
            if objective in waiting:
                waiting.remove(objective)
            if not waiting:
                self._at_point.pop(point, None)
                self.open_points &= ~(1 << point)

    def _objectives_at(self, points: int) -> tuple[Objective, ...]:
        """The open objectives with one of these points, each once, in the order of points."""
        found: dict[str, Objective] = {}
        while points:
            lowest = points & -points
            for objective in self._at_point[lowest.bit_length() - 1]:
                found[objective.id] = objective
            points ^= lowest
        return tuple(found.values())

    def _contradiction(self, points: int, run: int | str) -> str:
        hit = [each.id for each in self.objectives if each.mask & points & self._refuted_points]
        return f"run {run} covers what was proved infeasible: {', '.join(hit)}"
