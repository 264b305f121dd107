"""Search and encoding take turns: neither knows beforehand which of them a unit is made for.

    search ------> encoding ------> whoever decided more objectives a second when it last had its turn ...

A turn ends when nothing was decided for a while, or after some time. When neither decides anything, turns and the while
get longer. So a unit that one of them does alone costs little more than that: most are done in the first turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.decide import Decider
from tightrope.execution.trace import Input
from tightrope.options import Options
from tightrope.search.budget import StopReason
from tightrope.search.loop import Search

FIRST_PATIENCE = 0.15  # seconds without anything new
FIRST_TURN = 0.5  # seconds


def take_turns(search: Search, decider: Decider, seeds: Sequence[Input], options: Options) -> StopReason:
    """Until every objective has a verdict, nothing is left to try, or the budget is spent."""
    if options.engine == "search" or options.exhaustive or options.instrumentation == "direct":
        return search.explore(seeds)
    if options.engine == "encoding":
        return _encode_only(search, decider, seeds)
    reason = _alternate(search, decider, seeds)
    search.finish()
    return reason


def _encode_only(search: Search, decider: Decider, seeds: Sequence[Input]) -> StopReason:
    """One run to start with; what was left aside is nobody's."""
    try:
        search.run_input(seeds[0])
        decider.work(search.budget.seconds, search.budget.seconds, search.budget.seconds)
    except KeyboardInterrupt:
        return StopReason.INTERRUPTED
    search.progress.seconds = decider.counts.seconds
    search.finish()
    if search.ledger.is_done:
        return StopReason.DONE
    return StopReason.ASKED if decider.is_finished else StopReason.TIME_LIMIT


def _alternate(search: Search, decider: Decider, seeds: Sequence[Input]) -> StopReason:
    turns = _Turns(search, decider)
    while (reason := turns.take(seeds)) is None:
        seeds = ()
    return StopReason.DONE if search.ledger.is_done and reason is not StopReason.INTERRUPTED else reason


@dataclass(slots=True)
class _Turns:
    search: Search
    decider: Decider
    patience: float = FIRST_PATIENCE
    most: float = FIRST_TURN
    is_encoding: bool = False  # whose turn it is
    rates: list[float] = field(default_factory=lambda: [math.inf, math.inf])  # objectives a second: search, encoding

    def take(self, seeds: Sequence[Input]) -> StopReason | None:
        """One turn; None: go on."""
        before, start = len(self.search.ledger.open_objectives), self.search.clock()
        reason = self._encode() if self.is_encoding else self._search(seeds)
        decided = before - len(self.search.ledger.open_objectives)
        self.rates[self.is_encoding] = decided / max(1e-3, self.search.clock() - start)
        if reason is None:
            self._choose_next()
        return reason

    def _search(self, seeds: Sequence[Input]) -> StopReason | None:
        is_alone = self.decider.is_finished
        patience, most = (math.inf, math.inf) if is_alone else (self.patience, self.most)
        reason = self.search.explore_while_new(seeds, patience, most)
        if reason is StopReason.EXHAUSTED and not self.decider.is_finished:
            _work(self.decider, self.search, math.inf, math.inf)
        return reason

    def _encode(self) -> StopReason | None:
        if not _work(self.decider, self.search, self.patience, self.most):
            return StopReason.INTERRUPTED
        if self.decider.is_finished and self.decider.has_settled_all:
            return StopReason.ASKED if self.search.ledger.open_objectives else StopReason.DONE
        return None

    def _choose_next(self) -> None:
        mine, other = self.rates[self.is_encoding], self.rates[not self.is_encoding]
        if mine == other == 0:
            self.patience, self.most = 2 * self.patience, 2 * self.most
        if self.decider.is_finished:
            self.is_encoding = False
        elif mine == 0 or other > mine:
            self.is_encoding = not self.is_encoding and not self._has_had_its_share()

    def _has_had_its_share(self) -> bool:
        """A formula may take longer than a turn. Where the last one decided nothing, the search catches up first."""
        spent = self.decider.counts.seconds
        return self.rates[True] == 0 and spent > self.search.seconds_spent - spent


def _work(decider: Decider, search: Search, patience: float, most: float) -> bool:
    """False: interrupted."""
    try:
        decider.work(patience, search.seconds_left, most)
    except KeyboardInterrupt:
        return False
    return True
