"""Search and encoding take turns: neither knows beforehand which of them a unit is made for.

    search 0.2 s | encoding 0.2 s | search 0.4 s | encoding 0.4 s | ...

Each turn is as long as all the turns before it, so that whoever could have done it alone has done it by four times
that time; and most units are done in the first turn of the search.
"""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.decide import Decider
from tightrope.execution.trace import Input
from tightrope.options import Options
from tightrope.search.budget import StopReason
from tightrope.search.loop import Search

FIRST_TURN = 0.2  # seconds


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
        decider.work(search.budget.seconds)
    except KeyboardInterrupt:
        return StopReason.INTERRUPTED
    search.progress.seconds = decider.counts.seconds
    search.finish()
    if search.ledger.is_done:
        return StopReason.DONE
    return StopReason.ASKED if decider.is_finished else StopReason.TIME_LIMIT


def _alternate(search: Search, decider: Decider, seeds: Sequence[Input]) -> StopReason:
    turn = FIRST_TURN
    while True:
        reason = search.explore_for(seeds, turn)
        if reason is StopReason.EXHAUSTED and not decider.is_finished:
            _work(decider, search, search.budget.seconds)
        if reason is not None:
            return StopReason.DONE if search.ledger.is_done and reason is not StopReason.INTERRUPTED else reason
        seeds = ()
        if not _work(decider, search, turn):
            return StopReason.INTERRUPTED
        if decider.is_finished and decider.has_settled_all:
            return StopReason.ASKED if search.ledger.open_objectives else StopReason.DONE
        turn = search.budget.seconds if decider.is_finished else 2 * turn


def _work(decider: Decider, search: Search, seconds: float) -> bool:
    """False: interrupted."""
    try:
        decider.work(min(seconds, max(0.0, search.budget.seconds - search.progress.seconds)))
    except KeyboardInterrupt:
        return False
    return True
