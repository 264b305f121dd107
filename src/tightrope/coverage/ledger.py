"""Ledger: the current verdict of each objective, updated by runs and proofs.

`record` is called once per run, thousands of times per second: a run that covers nothing new costs
two operations on bit masks.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from tightrope.coverage.objective import Objective, Relation
from tightrope.coverage.verdict import Covered, Infeasible, Proof, Reason, Unknown, Verdict
from tightrope.coverage.witnesses import bits, is_covered
from tightrope.errors import InternalError


class ContradictionError(InternalError):
    """A run covered what was proved infeasible: a bug in Tightrope that must never be silent."""


class Ledger:
    """Covered and infeasible are final. A run that contradicts a proof raises `ContradictionError`.

    Hitting a point again changes nothing: `ANY` is covered by then, and for `ALL` and `PAIR` the first run that hit it
    is remembered.
    """

    def __init__(self, objectives: Sequence[Objective]) -> None:
        self.objectives = tuple(objectives)
        self.open_points = 0  # the points that would cover something new
        self.error_points = 0  # the points of run-time errors: all that runs which crash can cover
        self._refuted_points = 0  # the points that would contradict a proof
        self.hit_points = 0
        self._first_run: dict[int, str] = {}  # by point
        self._at_point: dict[int, dict[str, Objective]] = {}  # only open objectives, by id
        self._partners: dict[str, dict[int, int]] = {}  # by id of a PAIR and point: a mask
        self._verdicts: dict[str, Verdict] = {}
        self.engine = "search"  # the engine that is running
        self.decided_by: dict[str, str] = {}  # by id: the engine
        for objective in self.objectives:
            self.error_points |= objective.mask if objective.is_error else 0
            self._start(objective)

    def _start(self, objective: Objective) -> None:
        self._verdicts[objective.id] = Unknown(Reason.NOT_TRIED)
        if objective.is_constant:
            self.refute(objective, Infeasible(Proof.CONSTANT))
        elif objective.problem:
            self._verdicts[objective.id] = Unknown(Reason.NOT_FOLLOWED, objective.problem)
        else:
            self._open(objective)

    def record(self, points: int, run: int | str) -> tuple[Objective, ...]:
        """The objectives that this run is the first to cover. `points` has bit p set when p was hit."""
        if points & self._refuted_points:
            self._check_proofs(points & self._refuted_points, run)
        news = points & self.open_points
        if not news:
            return ()
        self._note(news, run)
        covered = tuple(each for each in self._objectives_at(news) if self._is_covered(each, news))
        for objective in covered:
            self._verdicts[objective.id] = Covered(self._witnesses(objective, news))
            self.decided_by[objective.id] = self.engine
            self._close(objective)
        for point in bits(news):
            self._at_point.pop(point, None)
        self.open_points &= ~news
        return covered

    def record_error(self, points: int, run: int | str) -> tuple[Objective, ...]:
        """As `record`, for a run that ends by undefined behaviour: it covers run-time errors and nothing else."""
        if points & self._refuted_points:
            self._raise_if_refuted(points, self.hit_points | points, run)
        return self.record(points & self.error_points, run)

    def refute(self, objective: Objective, verdict: Infeasible) -> None:
        """Record a proof that the objective is infeasible."""
        if isinstance(self._verdicts[objective.id], Covered):
            raise ContradictionError(f"{objective.id} is covered, but proved infeasible ({verdict.proof.value})")
        self._verdicts[objective.id] = verdict
        self.decided_by[objective.id] = self.engine
        self._close(objective)
        self._refuted_points |= objective.mask & ~self.hit_points

    def refute_open(self, proof: Proof) -> None:
        """Record a proof for everything that is still open."""
        for objective in self.open_objectives:
            self.refute(objective, Infeasible(proof))

    def explain_open(self, reason: Reason) -> None:
        """Record why everything that is still open stays unknown."""
        for objective in self.open_objectives:
            self._verdicts[objective.id] = Unknown(reason)

    def explain(self, objective: Objective, reason: Reason, sentence: str = "") -> None:
        """Record why one objective stays unknown."""
        if isinstance(self._verdicts[objective.id], Unknown) and not objective.problem:
            self._verdicts[objective.id] = Unknown(reason, sentence)

    def withdraw(self, objective: Objective, reason: Reason) -> None:
        """Withdraw coverage: a run covered it, but no test that can be kept does."""
        self._verdicts[objective.id] = Unknown(reason)

    def drop(self, names: Container[str]) -> None:
        """Forget these open objectives, by id: nobody wants them any more."""
        dropped = [each for each in self.open_objectives if each.id in names]
        for objective in dropped:
            self._close(objective)
            del self._verdicts[objective.id]
        left = {each.id for each in dropped}
        self.objectives = tuple(each for each in self.objectives if each.id not in left)

    def name_tests(self, objective: Objective, tests: Iterable[str]) -> None:
        """Replace the runs that cover an objective by the tests that were kept for it."""
        self._verdicts[objective.id] = Covered(tuple(tests))

    def adopt(self, other: Ledger) -> None:
        """Take over the verdicts of another ledger, whose points mean the same."""
        self.hit_points |= other.hit_points
        self._first_run = {**other._first_run, **self._first_run}
        for objective in self.objectives:
            if objective.id not in other._verdicts:
                continue
            self._verdicts[objective.id] = verdict = other._verdicts[objective.id]
            if objective.id in other.decided_by:
                self.decided_by[objective.id] = other.decided_by[objective.id]
            if not isinstance(verdict, Unknown):
                self._close(objective)
            if isinstance(verdict, Infeasible):
                self._refuted_points |= objective.mask & ~self.hit_points

    def verdict(self, objective: Objective) -> Verdict:
        return self._verdicts[objective.id]

    def __iter__(self) -> Iterator[tuple[Objective, Verdict]]:
        return ((objective, self._verdicts[objective.id]) for objective in self.objectives)

    @property
    def is_done(self) -> bool:
        """True when no run can change a verdict."""
        return not self.open_points

    @property
    def open_objectives(self) -> tuple[Objective, ...]:
        """Those that runs and proofs can still decide."""
        return tuple(
            each for each in self.objectives if isinstance(self._verdicts[each.id], Unknown) and not each.problem
        )

    def count(self, kind: type[Covered] | type[Infeasible] | type[Unknown]) -> int:
        return sum(isinstance(verdict, kind) for verdict in self._verdicts.values())

    def _open(self, objective: Objective) -> None:
        for point in objective.points:
            self._at_point.setdefault(point, {})[objective.id] = objective
        self.open_points |= objective.mask

    def _close(self, objective: Objective) -> None:
        closed = 0
        for point in objective.points:
            waiting = self._at_point.get(point, {})
            if waiting.pop(objective.id, None) and not waiting:
                closed |= 1 << point
        self.open_points &= ~closed

    def _note(self, points: int, run: int | str) -> None:
        self.hit_points |= points
        for point in bits(points):
            self._first_run.setdefault(point, str(run))

    def _objectives_at(self, points: int) -> tuple[Objective, ...]:
        """The open objectives with one of these points, each once, in the order of points."""
        found: dict[str, Objective] = {}
        for point in bits(points):
            found |= self._at_point[point]
        return tuple(found.values())

    def _is_covered(self, objective: Objective, news: int) -> bool:
        """True if the new points, with all that was hit before, cover an objective that has one of them."""
        if objective.relation is Relation.ALL:
            return not objective.mask & ~self.hit_points
        return objective.relation is not Relation.PAIR or self._find_pair(objective, news) is not None

    def _find_pair(self, objective: Objective, news: int) -> tuple[int, int] | None:
        """A pair of points that were both hit, one of them now."""
        if objective.id not in self._partners:
            self._partners[objective.id] = _find_partners(objective)
        partners = self._partners[objective.id]
        for point in bits(news & objective.mask):
            hit = partners.get(point, 0) & self.hit_points
            if hit:
                return next(bits(hit)), point
        return None

    def _witnesses(self, objective: Objective, news: int) -> tuple[str, ...]:
        """The runs that cover it together, each once."""
        points: Iterable[int] = objective.points
        if objective.relation is Relation.PAIR:
            points = self._find_pair(objective, news) or ()
        elif objective.relation is not Relation.ALL:
            points = (next(bits(news & objective.mask)),)
        return tuple(dict.fromkeys(self._first_run[point] for point in points))

    def _check_proofs(self, points: int, run: int | str) -> None:
        """Raise an error if both points of an infeasible pair were hit; one of them alone is no contradiction."""
        self._note(points, run)
        self._raise_if_refuted(points, self.hit_points, run)
        self._refuted_points &= ~points

    def _raise_if_refuted(self, points: int, hit_points: int, run: int | str) -> None:
        refuted = [each for each in self.objectives if isinstance(self._verdicts[each.id], Infeasible)]
        broken = [each.id for each in refuted if each.mask & points and is_covered(each, hit_points)]
        if broken:
            raise ContradictionError(f"run {run} covers what was proved infeasible: {', '.join(broken)}")


def _find_partners(objective: Objective) -> dict[int, int]:
    """By point, the points that make a pair with it, as a mask."""
    partners: dict[int, int] = {}
    for one, other in objective.pairs:
        partners[one] = partners.get(one, 0) | 1 << other
        partners[other] = partners.get(other, 0) | 1 << one
    return partners
