"""Builds the chain of solver layers.

From the top:
- `Counted`: queries, sat, unsat, unknown
- `Validate` (paranoid): evaluates each model on the whole condition
- `Independent`: keeps the constraints that share slots with the target
- `AnswerCache`: same constraints, same target, same answer
- `Decided`: constants, repeated and opposite constraints
- `Refuted`: constraints that contain an earlier contradiction
- `Reuse`: evaluates known inputs
- `LocalSearch`: searches models for queries that the solver leaves unknown
- `Moved`: searches models of queries about many inputs by moving these together
- `Log` (optional): queries that reach the solver
- `Timed` around the back end; or `CrossCheck` of two of them (paranoid)
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.deadline import NEVER, Deadline
from tightrope.solving.backends import load_backend
from tightrope.solving.layers.cache import AnswerCache
from tightrope.solving.layers.cross_check import CrossCheck
from tightrope.solving.layers.decided import Decided
from tightrope.solving.layers.independent import Independent
from tightrope.solving.layers.local_search import LocalSearch
from tightrope.solving.layers.log import Log
from tightrope.solving.layers.measure import Counted, Timed
from tightrope.solving.layers.moved import Moved
from tightrope.solving.layers.refuted import Refuted
from tightrope.solving.layers.reuse import Reuse
from tightrope.solving.layers.validate import Validate
from tightrope.solving.solver import Solver, SolverStatistics


def build_chain(
    backend: str = "bitwuzla",
    *,
    time_limit: float = 5.0,
    seed: int = 0,
    second_opinion: str = "",
    validates: bool = False,
    log: Callable[[str], object] | None = None,
    deadline: Deadline = NEVER,
) -> Solver:
    """The solver for a search; `second_opinion` names a back end for cross-checks. No query lasts beyond the
    deadline."""
    statistics = SolverStatistics()
    solver: Solver = Timed(load_backend(backend)(time_limit=time_limit, seed=seed, deadline=deadline), statistics)
    if second_opinion:
        solver = CrossCheck(solver, load_backend(second_opinion)(time_limit=time_limit, seed=seed), statistics)
    if log is not None:
        solver = Log(solver, statistics, log)
    solver = Moved(solver, statistics)
    solver = LocalSearch(solver, statistics, time_limit=time_limit, seed=seed, deadline=deadline)
    solver = Reuse(solver, statistics)
    solver = Refuted(solver, statistics)
    solver = Decided(solver, statistics)
    solver = AnswerCache(solver, statistics)
    solver = Independent(solver, statistics)
    if validates:
        solver = Validate(solver, statistics)
    return Counted(solver, statistics)
