"""Search and encoding take turns: neither knows beforehand which of them a unit is made for.

Each goes on for as long as it decides something. When it has decided nothing for a while, it is the other one's turn;
and the while grows with each turn in which nothing happened. So a unit that one of them does alone costs little more
than that: the search, which starts, keeps its turn while it finds something, and most units are done by then.
"""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.decide import Decider
from tightrope.execution.trace import Input
from tightrope.options import Options
from tightrope.search.budget import StopReason
from tightrope.search.loop import Search

FIRST_PATIENCE = 0.15  # seconds without anything new


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
        decider.work(search.budget.seconds, search.budget.seconds)
    except KeyboardInterrupt:
        return StopReason.INTERRUPTED
    search.progress.seconds = decider.counts.seconds
    search.finish()
    if search.ledger.is_done:
        return StopReason.DONE
    return StopReason.ASKED if decider.is_finished else StopReason.TIME_LIMIT


def _alternate(search: Search, decider: Decider, seeds: Sequence[Input]) -> StopReason:
    patience = FIRST_PATIENCE
    while True:
        reason = search.explore_while_new(seeds, patience)
        if reason is StopReason.EXHAUSTED and not decider.is_finished:
            _work(decider, search, search.budget.seconds)
        if reason is not None:
            return StopReason.DONE if search.ledger.is_done and reason is not StopReason.INTERRUPTED else reason
        has_turn = decider.counts.seconds <= search.progress.seconds / 2  # a formula may take longer than it should
        if has_turn and not _work(decider, search, patience):
            return StopReason.INTERRUPTED
        if decider.is_finished and decider.has_settled_all:
            return StopReason.ASKED if search.ledger.open_objectives else StopReason.DONE
        seeds, patience = (), search.budget.seconds if decider.is_finished else 2 * patience


def _work(decider: Decider, search: Search, patience: float) -> bool:
    """False: interrupted."""
    try:
        decider.work(patience, search.seconds_left)
    except KeyboardInterrupt:
        return False
    return True
