"""Search and encoding take turns, because it is not known in advance which of them suits a unit.

    search ------> encoding ------> the one that decided more objectives per step in its last turn ...

A turn ends when nothing was decided for a while, or after some steps. If neither decides anything, turns get longer.
Both get about the same time: a step of the encoding takes about as long as twenty of the search (`STEPS_OF_SEARCH`).
Most units are finished in the first turn; what both can finish costs half as much again as the better one alone, in all
(bench/results, encoding-programs). If only few objectives are wanted, asking for each is cheaper than exploring: then
the encoding comes first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tightrope.coverage.verdict import Covered
from tightrope.engines.encoding_engine import STEPS_OF_QUERY, EncodingEngine
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.search.budget import StopReason, Turn
from tightrope.search.loop import Search

FIRST_TURN = Turn(150, 500, 1.0)
STEPS_OF_SEARCH = 20  # in the time of one step of the encoding
TURN_OF_SEARCH = 10  # times the encoding's, in steps: if a solver has to answer most of them, they take longer
TRIALS_OF_STEP = 10  # of fuzzing, in the time of one step of the search
LONG = 3.0  # seconds
SHARE_BESIDE_FUZZING = 0.15  # of the remaining time, for a turn of the encoding, in a program that reads texts
SHARE_BESIDE_LONG_RUNS = 0.3  # where a few runs compute thousands of expressions: a formula has them all
SHARE_OF_FIRST = 0.1  # of the time, if the encoding comes first: it does not suit all functions
SHARE_OF_SHAPE = 0.25  # of the remaining time, for a turn of the encoding while a larger shape waits
MOST_OF_FIRST = 0.5  # of the remaining time, for the first turn of a search that will soon be through
NO_TURN = Turn(0, 0, 0.0)  # only runs the seeds
ENDLESS = Turn(math.inf, math.inf, math.inf)
IDLE_TURNS = 4  # of both, until another shape is tried: they take up to 3,000 steps
FEW_IDLE_TURNS = 2  # if nothing is covered at all
PATIENCE = Turn(1000, math.inf, math.inf)  # of an engine that works alone, before another shape is tried


def take_turns(
    search: Search,
    engine: EncodingEngine,
    seeds: Sequence[Input],
    options: Options,
    first: Sequence[Input] = (),
    known: Sequence[Input] = (),
    has_alternative: Callable[[], bool] | None = None,
    conclude: Callable[[], None] | None = None,
    share_of_shape: float = 1.0,
) -> StopReason:
    """Until every objective has a verdict, nothing is left to try, or the budget is spent. With `first` inputs, these
    are run at once, and the encoding has the first turn; the seeds are for the search's own. `known` inputs come before
    the seeds. `has_alternative` is asked when nothing new was found for a while, and when that share of the budget
    is spent: if so, stop. `conclude` refutes what no path covers, once all were tried."""
    if options.engine == "search" or options.exhaustive or options.instrumentation == "direct":
        return _search_only(search, (*first, *known, *seeds), None if options.exhaustive else has_alternative)
    if options.engine == "encoding":
        return _encode_only(search, engine, [*known, *(first or seeds)[:1]])
    reason = _alternate(search, engine, (*known, *seeds), first, has_alternative, conclude, share_of_shape)
    if reason is StopReason.TIME_LIMIT:  # perhaps in the first turn of the search
        _work(engine, search, NO_TURN)  # only proofs from the code, if there were none
    search.finish()
    return reason


def _search_only(search: Search, seeds: Sequence[Input], has_alternative: Callable[[], bool] | None) -> StopReason:
    if has_alternative is None:
        return search.explore(seeds)
    reason = search.explore_while_new(seeds, PATIENCE)
    while reason is None:
        reason = StopReason.STUCK if has_alternative() else search.explore_while_new((), PATIENCE)
    search.finish()
    return reason


def _encode_only(search: Search, engine: EncodingEngine, first: Sequence[Input]) -> StopReason:
    """Run these inputs, then only the encoding."""
    try:
        for values in first:
            search.run_input(values)
        engine.work(ENDLESS, search.parts.budget.seconds, is_after_search=False)
    except KeyboardInterrupt:
        return StopReason.INTERRUPTED
    finally:
        search.progress.seconds = engine.counts.seconds
        search.finish()
    if search.ledger.is_done:
        return StopReason.DONE
    if engine.is_finished:
        return StopReason.ASKED
    return search.parts.budget.stop_reason(0.0, search.progress.runs) or StopReason.TIME_LIMIT


def _alternate(
    search: Search,
    engine: EncodingEngine,
    seeds: Sequence[Input],
    first: Sequence[Input],
    has_alternative: Callable[[], bool] | None,
    conclude: Callable[[], None] | None,
    share_of_shape: float,
) -> StopReason:
    share = SHARE_OF_FIRST if first else None
    turns = _Turns(search, engine, seeds, conclude, has_alternative, is_encoding=bool(first), share=share)
    reason = search.explore_while_new(first, NO_TURN) if first else None
    while reason is None:
        reason = turns.take()
        is_stuck = turns.idle >= (IDLE_TURNS if search.ledger.count(Covered) else FEW_IDLE_TURNS)
        is_late = search.share_spent >= share_of_shape
        if reason is None and (is_stuck or is_late) and turns.may_change_shape:
            return StopReason.STUCK
    return StopReason.DONE if search.ledger.is_done and reason is not StopReason.INTERRUPTED else reason


@dataclass(slots=True)
class _Turns:
    search: Search
    engine: EncodingEngine
    seeds: Sequence[Input]  # of the search, when it has its first turn
    conclude: Callable[[], None] | None  # refutes what no path covers; None: a formula shall prove it
    has_alternative: Callable[[], bool] | None  # None: this shape is the last one, and a turn may be endless
    turn: Turn = FIRST_TURN
    is_encoding: bool = False  # whose turn it is
    share: float | None = None  # of the remaining time, for the next turn of the encoding; None: as usual
    idle: int = 0  # turns in a row that decided nothing
    rates: list[float] = field(default_factory=lambda: [math.inf, math.inf])  # decided per _steps: search, encoding

    def take(self) -> StopReason | None:
        """Take one turn; None: continue with the next."""
        before, first = len(self.search.ledger.open_objectives), self._steps
        reason = self._encode() if self.is_encoding else self._search()
        decided = before - len(self.search.ledger.open_objectives)
        self.rates[self.is_encoding] = decided / max(1, self._steps - first)
        self.idle = 0 if decided else self.idle + 1
        if reason is None:
            self._choose_next()
        return reason

    @property
    def may_change_shape(self) -> bool:
        return self.has_alternative is not None and self.has_alternative()

    @property
    def _steps(self) -> float:
        """Those of the encoding, or as many of the search as take about as long."""
        return self.search.pace.steps / STEPS_OF_SEARCH + self.engine.steps

    def _search(self) -> StopReason | None:
        seeds, self.seeds = self.seeds, ()
        is_first, is_endless = self.rates[False] == math.inf, self.engine.is_finished and self.has_alternative is None
        turn = replace(self.turn, trials=TRIALS_OF_STEP * self.turn.steps) if self.may_change_shape else self.turn
        reason = self.search.explore_while_new(seeds, ENDLESS if is_endless else turn)
        is_later = self.engine.steps > 0 and not is_endless
        if reason is None and (is_first or is_later) and not self.may_change_shape:
            reason = self._search_first() if is_first else self.search.explore_while_new((), self._turn_of_search)
        if reason is StopReason.EXHAUSTED and not self.engine.is_finished:
            self._settle()
        return reason

    def _search_first(self) -> StopReason | None:
        """If the clock ends this turn while less is waiting than was tried, the search will soon be through: it has
        further turns, up to half of the time."""
        turn, steps, end = self._first_turn, self.search.pace.steps, MOST_OF_FIRST * self.search.seconds_left
        begin = self.search.seconds_spent
        while True:
            reason = self.search.explore_while_new((), turn)
            tried = self.search.pace.steps - steps
            is_cut = self.search.pace.steps - self.search.pace.last_news < turn.patience and tried < turn.steps
            is_late = self.search.seconds_spent - begin + turn.seconds > end
            if reason is not None or not is_cut or is_late or len(self.search.strategy) >= tried:
                return reason

    @property
    def _turn_of_search(self) -> Turn:
        """As long as the encoding's, if no larger shape is waiting."""
        turn = self.turn
        return Turn(TURN_OF_SEARCH * turn.patience, TURN_OF_SEARCH * turn.steps, turn.seconds)

    @property
    def _first_turn(self) -> Turn:
        """As long as it would take to ask a formula for all that is open: of hundreds of labels, many are left for
        cheap steps, and few paths."""
        turn, asking = self._turn_of_search, STEPS_OF_SEARCH * STEPS_OF_QUERY * len(self.search.ledger.open_objectives)
        return Turn(max(turn.patience, asking), max(turn.steps, 2 * asking), turn.seconds)

    def _settle(self) -> None:
        """Every path was tried. Proofs from the code hold for all callers, so they come first; a formula is made only
        for what is open after that, or if it is to be kept or checked."""
        if not _work(self.engine, self.search, NO_TURN):  # only proofs from the code
            return
        if self.conclude is not None:
            self.conclude()
        if not self.search.ledger.is_done:
            _work(self.engine, self.search, ENDLESS)

    def _encode(self) -> StopReason | None:
        share, self.share = self.share or _usual_share(self.search), None
        share = min(share, SHARE_OF_SHAPE) if self.may_change_shape else share
        if not _work(self.engine, self.search, self.turn, share, is_after_search=self.rates[False] < math.inf):
            return StopReason.INTERRUPTED
        if self.engine.is_finished and self.engine.has_settled_all:
            return StopReason.ASKED if self.search.ledger.open_objectives else StopReason.DONE
        return None

    def _choose_next(self) -> None:
        mine, other = self.rates[self.is_encoding], self.rates[not self.is_encoding]
        if self.engine.is_finished:
            self.is_encoding = False
        elif mine == 0 or other > mine:
            self.is_encoding = not self.is_encoding
        self.is_encoding &= not self._has_had_its_share()
        if mine == other == 0 and (self.is_encoding or self.engine.is_finished or self.may_change_shape):
            self.turn = Turn(2 * self.turn.patience, 2 * self.turn.steps, 2 * self.turn.seconds)

    def _has_had_its_share(self) -> bool:
        """True if the search should catch up first: a formula may take longer than a turn, and the last one decided
        nothing, or all of them took very long."""
        spent = self.engine.counts.seconds
        is_slow = spent > LONG and spent > 2 * _usual_share(self.search) * (self.search.seconds_spent - spent)
        share = 1 if self.may_change_shape else STEPS_OF_SEARCH
        return is_slow or (self.rates[True] == 0 and share * self.engine.steps > self.search.pace.steps)


def _usual_share(search: Search) -> float:
    """Formulas about programs that read texts, or about loops of a thousand steps, are large, and fuzzing finds more
    in the same time."""
    fuzzer = search.parts.fuzzer
    if fuzzer is not None and fuzzer.is_for_program:
        return SHARE_BESIDE_FUZZING
    return SHARE_BESIDE_LONG_RUNS if search.has_long_runs else 1.0


def _work(
    engine: EncodingEngine, search: Search, turn: Turn, share: float = 1.0, *, is_after_search: bool = True
) -> bool:
    """Let the encoding work for a turn; False if it was interrupted."""
    try:
        engine.work(turn, share * search.seconds_left, is_after_search=is_after_search)
    except KeyboardInterrupt:
        return False
    return True
