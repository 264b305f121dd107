"""Remembers every answer under (the constraints asked about, the target).

Below `Independent` the constraints are a group, which is one object however many paths lead to it, so paths that
differ elsewhere share their answers. `Unknown` is remembered too: the same solver would spend its time limit again.
"""

from __future__ import annotations

from tightrope.expr.terms import Term
from tightrope.solving.path_condition import Conjunction
from tightrope.solving.query import Answer, Query
from tightrope.solving.solver import Solver, SolverStatistics


class AnswerCache:
    __slots__ = ("_answers", "_below", "statistics")

    def __init__(self, below: Solver, statistics: SolverStatistics) -> None:
        self._below = below
        self.statistics = statistics
        self._answers: dict[tuple[Conjunction, Term], Answer] = {}

    def ask(self, query: Query) -> Answer:
        key = (query.condition, query.target)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._below.ask(query)
        else:
            self.statistics.cache_hits += 1
        return answer
