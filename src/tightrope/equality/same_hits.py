"""Objectives that the same inputs hit in two versions of a function, proved with a formula of both.

    old and new, encoded over the same inputs
         |
         +--> an input that hits an objective in one version only?       yes: it is impacted, for sure
         +--> a run that leaves the formula and may still hit it?        yes: a larger formula, or nothing is known
         +--> neither: the same inputs hit it in both

It makes a statement about all callers, so no doubt about equality (soundness/doubts.py) may apply. Answers of stubs are
inputs, but the functions that they replace may answer other arguments otherwise: calls of stubs must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tightrope.coverage.objective import Objective, Relation
from tightrope.deadline import start_work_clock
from tightrope.encoding.comparison import Observed
from tightrope.encoding.encoding import Departure, EncodingLimits, WhyDeparted
from tightrope.engines.encoding_engine import (
    FIRST_INSTANCES,
    FIRST_ITERATIONS,
    GROWTH,
    LEAST_RECURSION,
    is_paranoid,
    make_pruning,
)
from tightrope.equality.correspondence import Correspondence, replaced_functions
from tightrope.equality.encoded_pair import EncodableVersion, EncodedPair, encode_pair
from tightrope.equality.shared_inputs import SharedInputs
from tightrope.errors import TightropeError
from tightrope.expr.build import is_constant, negate
from tightrope.expr.simplify import any_of, both, differ
from tightrope.expr.terms import Term
from tightrope.inputs.scalars import Input, first_input
from tightrope.options.options import Options
from tightrope.program.ir.gc_pause import collector_paused
from tightrope.program.marks.point_graph import build_point_graph
from tightrope.program.marks.without_labels import LabelledProgram
from tightrope.solving.backends import start_session
from tightrope.solving.query import Answer, Sat, Unsat, overlay
from tightrope.solving.session import Session
from tightrope.solving.smtlib import write_smtlib
from tightrope.soundness.doubts import RunFacts, Versions, equality_doubts
from tightrope.soundness.proof_files import ProofFiles
from tightrope.suite.folder import MARKER, write_file
from tightrope.units.prepared import PreparedUnit
from tightrope.weaving.mark_table import points_of_obligations

SECONDS_OF_QUERY = 1.0
ITERATIONS = FIRST_ITERATIONS * GROWTH  # fewer rarely prove anything
MOST_INSTANCES = FIRST_INSTANCES * GROWTH  # of blocks; a larger formula takes longer than the search that it saves
GROWABLE = (WhyDeparted.BOUND, WhyDeparted.BUDGET)

Twins = tuple[Objective, Objective]  # of old and of new


@dataclass(slots=True)
class SameHits:
    """Asks a formula of both versions. `queries` and `seconds` say what it has cost so far; `inputs` are inputs of
    new that hit impacted objectives, as the formula foresees: the first ones for a search."""

    options: Options
    inputs: list[Input] = field(default_factory=list)
    queries: int = 0
    seconds: float = 0.0
    _models: dict[Input, set[str]] = field(default_factory=dict)  # with the objectives that they hit in new
    _clock: Callable[[], float] = field(default=lambda: 0.0)
    _limit: float = 0.0

    def prove(self, old: PreparedUnit, new: PreparedUnit, twins: Sequence[Twins], seconds: float) -> frozenset[str]:
        """The ids (in new) of those objectives that exactly the same inputs hit in both versions."""
        twins = [each for each in twins if _are_of_one_kind(*each)]
        shared = SharedInputs(Correspondence.of(old, new))
        if not twins or not _are_same_inputs(shared) or self._has_doubt(shared):
            return frozenset()
        self._clock, before = start_work_clock(), self.seconds
        self._limit = seconds
        try:
            with collector_paused():
                return self._prove(shared, twins)
        except TightropeError:
            raise
        except Exception:
            if is_paranoid():
                raise
            return frozenset()  # a bug in the encoding must not lose the report: everything stays impacted
        finally:
            self.seconds = before + self._clock()

    def _has_doubt(self, shared: SharedInputs) -> bool:
        old, new = shared.match.old, shared.match.new
        replaced = (*replaced_functions(old, new), *replaced_functions(new, old))
        facts = RunFacts(fails_a_check=bool(self.options.checks))
        return any(True for _ in equality_doubts(Versions(old.unit, new.unit, replaced), facts))

    def _prove(self, shared: SharedInputs, twins: Sequence[Twins]) -> frozenset[str]:
        old, new = shared.match.old.unit, shared.match.new.unit
        versions = _encodable(old, [one for one, _ in twins]), _encodable(new, [other for _, other in twins])
        found: set[str] = set()
        iterations = min(ITERATIONS, self.options.unroll_limit)
        while twins and self._left > 0:
            level = self._encode(versions, shared, iterations)
            proved, later = self._decide(level, twins)
            found.update(proved)
            is_larger = iterations < self.options.unroll_limit and not level.is_spent
            twins, iterations = later if is_larger else (), min(iterations * GROWTH, self.options.unroll_limit)
        self.inputs = list(_few_that_hit_all(self._models))
        return frozenset(found)

    @property
    def _left(self) -> float:
        return self._limit - self._clock()

    def _encode(
        self, versions: tuple[EncodableVersion, EncodableVersion], shared: SharedInputs, iterations: int
    ) -> _Level:
        options = self.options
        session = start_session(options.solver, time_limit=options.solver_time_limit, seed=options.seed)
        limits = EncodingLimits(
            iterations, MOST_INSTANCES, self._left, 4 * options.index_limit, max(LEAST_RECURSION, iterations)
        )
        is_possible = make_pruning(partial(self._ask, session))
        pair = encode_pair(versions, shared, options, limits, is_possible, has_contrasts=False)
        for term in (*pair.table.definitions, *pair.consistency()):
            session.assert_always(term)
        return _Level(pair, session, (versions[0].graph.everything, versions[1].graph.everything))

    def _ask(self, session: Session, terms: Sequence[Term], seconds: float = SECONDS_OF_QUERY) -> Answer:
        self.queries += 1
        return session.ask(terms, max(0.05, min(seconds, self._left)))

    def _decide(self, level: _Level, twins: Sequence[Twins]) -> tuple[list[str], list[Twins]]:
        """The ids of those that are proved, and those that a larger formula may prove."""
        claims = [claim for each in twins if (claim := level.claim(each)) is not None]
        claims = self._drop(level, claims, lambda claim: claim.differs, is_noted=True)[0]
        rest, departing = self._drop(level, claims, lambda claim: claim.departs)
        if rest and not self._is_confirmed(level, rest):
            rest = []
        return [claim.new_id for claim in rest], [claim.twins for claim in departing if claim.is_growable]

    def _drop(
        self,
        level: _Level,
        claims: Sequence[_Claim],
        refuting: Callable[[_Claim], Term],
        *,
        is_noted: bool = False,
    ) -> tuple[list[_Claim], list[_Claim]]:
        """Those whose term no input makes true, and those for which a model does. What has no answer is in neither.
        `is_noted`: models are inputs for a search."""
        left, dropped = list(claims), list[_Claim]()
        while left:
            terms = list(dict.fromkeys(refuting(claim) for claim in left))
            answer = self._ask(level.session, [any_of(level.pair.table, terms)]) if self._left > 0 else None
            if isinstance(answer, Unsat):
                break
            if not isinstance(answer, Sat):
                left = [claim for claim in left if self._is_refuted(level, refuting(claim))]
                break
            shown = {term for term in terms if level.session.value(term)}
            if not shown:  # it cannot be: the model satisfies one of them
                return [], dropped
            if is_noted:
                hits = {claim.new_id for claim in claims if level.session.value(claim.is_hit)}
                self._models.setdefault(level.input_of(answer), set()).update(hits)
            dropped += [claim for claim in left if refuting(claim) in shown]
            left = [claim for claim in left if refuting(claim) not in shown]
        return left, dropped

    def _is_refuted(self, level: _Level, term: Term) -> bool:
        """Alone, because all together were too hard."""
        if is_constant(term, 0):
            return True
        return self._left > 0 and isinstance(self._ask(level.session, [term]), Unsat)

    def _is_confirmed(self, level: _Level, claims: Sequence[_Claim]) -> bool:
        """True if a second solver agrees, where one is wanted."""
        options, table = self.options, level.pair.table
        terms = [term for claim in claims for term in (claim.differs, claim.departs)]
        question = [any_of(table, terms), *table.definitions, *level.pair.consistency()]
        if not ProofFiles(options, []).is_seconded(question):
            return False
        if options.keep_proofs is not None:
            name = level.pair.shared.match.new.unit.interface.name
            file = options.keep_proofs / f"{name}.same-hits.{level.pair.limits.iterations}.smt2"
            write_file(file, write_smtlib(question, MARKER))
        return True


@dataclass(frozen=True, slots=True)
class _Claim:
    """That the same inputs hit an objective: no input makes one of the two terms true."""

    twins: Twins
    differs: Term  # runs that stay in the formula hit it in one version only
    is_hit: Term  # in new, by runs that stay in the formula
    departs: Term  # a run leaves the formula and may hit it from there on, or stubs are called otherwise
    is_growable: bool

    @property
    def new_id(self) -> str:
        return self.twins[1].id


@dataclass(slots=True)
class _Level:
    """One formula of both versions."""

    pair: EncodedPair
    session: Session
    reachable: tuple[int, int]  # points that some run may hit, as the graphs of old and new see it
    _stub_calls: list[Term] | None = None
    _departed: dict[tuple[int, int], tuple[Term, bool]] = field(default_factory=dict)

    @property
    def is_spent(self) -> bool:
        """True if the formula is as large as it may be."""
        return any(each.why is WhyDeparted.BUDGET for one in self.pair.versions for each in one.encoding.departures)

    def input_of(self, answer: Sat) -> Input:
        """The input of new in a model."""
        slots = self.pair.shared.match.new.unit.driver.slots
        return overlay(first_input(slots), {slot: value for slot, value in answer.model.items() if slot < len(slots)})

    def claim(self, twins: Twins) -> _Claim | None:
        """None if the formula does not say exactly which inputs hit it."""
        if not self._are_known(*twins):
            return None
        pairs = list(self._hits(*twins))
        if not all(self.pair.comparison.new.encoding.is_exact(term) for pair in pairs for term in pair):
            return None
        table = self.pair.table
        departs, is_growable = self._departs(twins[0].mask, twins[1].mask)
        is_other = any_of(table, [differ(table, one, other) for one, other in pairs])
        stays, is_hit = negate(table, departs), self._any_hit(self.pair.comparison.new, twins[1].points)
        return _Claim(twins, both(table, is_other, stays), both(table, is_hit, stays), departs, is_growable)

    def _are_known(self, *twins: Objective) -> bool:
        """False if the graph does not see how a run gets to a point, so that departures do not name it either."""
        return all(not each.mask & ~seen for each, seen in zip(twins, self.reachable, strict=True))

    def _hits(self, old: Objective, new: Objective) -> Iterator[tuple[Term, Term]]:
        """What must be the same. If one point of many is enough, whether a run hits any of them."""
        before, after = self.pair.versions
        if new.relation in (Relation.ANY, Relation.SEQUENCE):
            yield self._any_hit(before, old.points), self._any_hit(after, new.points)
            return
        for one, other in zip(old.points, new.points, strict=True):
            yield self._any_hit(before, (one,)), self._any_hit(after, (other,))

    def _any_hit(self, version: Observed, points: Iterable[int]) -> Term:
        known = version.encoding.points
        return self._any([known[point] for point in points if point in known])

    def _any(self, terms: Sequence[Term]) -> Term:
        table = self.pair.table
        return any_of(table, terms) if terms else table.constant(0, 1)

    def _departs(self, old: int, new: int) -> tuple[Term, bool]:
        """Where runs leave the formula before they may hit one of these points, and whether a larger one may help."""
        if (old, new) not in self._departed:
            masks = zip(self.pair.versions, (old, new), strict=True)
            found = [each for version, mask in masks for each in _left_before(version, mask)]
            term = self._any([*(each.condition for each in found), *self._calls_of_stubs()])
            self._departed[old, new] = term, any(each.why in GROWABLE for each in found)
        return self._departed[old, new]

    def _calls_of_stubs(self) -> list[Term]:
        if self._stub_calls is None:
            match = self.pair.shared.match
            has_stubs = bool(match.old.unit.shape.stubs or match.new.unit.shape.stubs)
            self._stub_calls = [each.when for each in self.pair.comparison.calls()] if has_stubs else []
        return self._stub_calls


def _few_that_hit_all(models: Mapping[Input, set[str]]) -> Iterator[Input]:
    """Greedy: the one with most new hits comes next."""
    left = set[str]().union(*models.values())
    while left:
        best = max(models, key=lambda values: len(models[values] & left))
        left -= models[best]
        yield best


def _left_before(version: Observed, mask: int) -> Iterator[Departure]:
    return (each for each in (*version.encoding.departures, *version.encoding.cuts) if each.behind & mask)


def _are_of_one_kind(old: Objective, new: Objective) -> bool:
    """True if hits decide both in the same way."""
    if old.problem or new.problem or old.is_constant or new.is_constant or not (old.points and new.points):
        return False
    if (old.relation, old.is_error) != (new.relation, new.is_error):
        return False
    if new.relation in (Relation.ANY, Relation.SEQUENCE):
        return True
    partners = dict(zip(old.points, new.points, strict=False))
    is_same = len(old.points) == len(new.points) == len(partners) == len(set(new.points))
    return is_same and tuple((partners[one], partners[other]) for one, other in old.pairs) == new.pairs


def _are_same_inputs(shared: SharedInputs) -> bool:
    """True if each input of one version is one of the other, with the same bits."""
    old, new = (version.unit.driver.slots for version in (shared.match.old, shared.match.new))
    return not shared.own_slots and len(old) == len(new) == len(set(shared.slots.values()))


def _encodable(unit: PreparedUnit, objectives: Sequence[Objective]) -> EncodableVersion:
    """The program that runs, with the labels of these objectives only."""
    points, marks, wanted = unit.woven.points, unit.marks, 0
    for each in objectives:
        wanted |= each.mask
    labels = wanted >> points.labels.start & (1 << len(points.labels)) - 1
    graph = build_point_graph(
        unit.program, unit.function.name, points, unit.woven.marks, points_of_obligations(marks, points)
    )
    return EncodableVersion(unit, LabelledProgram(unit.program).keep(labels), points, graph, marks)
