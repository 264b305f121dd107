"""The Solver protocol, implemented by every back end and every layer, and the statistics of a chain."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Protocol

from tightrope.solving.query import Answer, Query


@dataclass(slots=True)
class SolverStatistics:
    """Counts of one chain. One object is shared by all its layers, each adds what only it can see."""

    queries: int = 0  # asked of the chain
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    decided: int = 0  # answered from the query alone
    cache_hits: int = 0
    core_hits: int = 0  # unsat because an earlier contradiction is among the constraints
    reuse_hits: int = 0  # sat by a known input, or by a variation of one
    local_searches: int = 0  # for what the back end left unknown
    local_search_hits: int = 0  # that found a model
    moved_hits: int = 0  # models found by moving many inputs together
    solver_queries: int = 0  # that reached the back end
    solver_seconds: float = 0.0

    def as_dict(self) -> dict[str, int | float]:
        return asdict(self)


class Solver(Protocol):
    """Answers queries. Laws (tests/contracts/solver): a model satisfies every constraint and has exactly the query's
    slots; `Unsat` is always correct; no exception for a query that is merely hard or not supported."""

    @property
    def statistics(self) -> SolverStatistics: ...

    def ask(self, query: Query) -> Answer: ...
