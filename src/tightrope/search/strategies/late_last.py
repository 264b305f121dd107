"""Late last: candidates that usually end the run at once wait until nothing else is left."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.strategy import Strategy

TURNS, TURNS_OF_ERRORS = 16, 64  # a late candidate is picked once in so many times
TRIES_PER_PLACE = 4
MOST_LOOKED_AT = 5000  # waiting candidates, in the search for errors
TRIES_PER_PIN = 16  # of its values, one after the other


class LateLast:
    """Three strategies of one kind. The second holds the late candidates and is used now and then, and when the first
    is empty, because a late one may be the only path to something. The third holds those that usually are run-time
    errors.

    When nothing more can be covered, `look_for_errors` continues with candidates that may be run-time errors, a few for
    each place in the code, and then with a few others, oldest first: they cover nothing, but users want to know about
    errors."""

    name: ClassVar[str] = "late-last"
    help: ClassVar[str] = "as another strategy, but late candidates last"

    def __init__(self, first: Strategy, last: Strategy, errors: Strategy) -> None:
        self.first, self.last, self.errors = first, last, errors
        self._only_errors = False
        self._turn = 0
        self._tries: Counter[int] = Counter()
        self._risky: deque[Candidate] = deque()
        self._others: deque[Candidate] = deque()
        self._other_tries = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        if self._only_errors:
            return self._add_errors(candidates)
        late = [candidate for candidate in candidates if candidate.is_late]
        if not late:
            return self.first.add(candidates)
        self.first.add([candidate for candidate in candidates if not candidate.is_late])
        self.last.add([candidate for candidate in late if not candidate.is_error])
        self.errors.add([candidate for candidate in late if candidate.is_error])

    def pick(self) -> Candidate:
        if self._only_errors:
            return self._pick_error()
        turn = self._turn = self._turn + 1
        if not turn % TURNS_OF_ERRORS and len(self.errors):
            return self.errors.pick()
        has_first = len(self.first)  # asked once: this is called for every candidate
        if (not has_first or not turn % TURNS) and len(self.last):
            return self.last.pick()
        return self.first.pick() if has_first else self.errors.pick()

    def _pick_error(self) -> Candidate:
        if self._risky:
            return self._risky.popleft()
        self._other_tries -= 1
        return self._others.popleft()

    def look_for_errors(self, dropped: Sequence[Candidate] = (), tries: int = 0) -> None:
        """`dropped`: further candidates, which a filter held back. `tries`: how many that are not known to be risky."""
        self._only_errors, self._other_tries = True, tries
        parts = (self.errors, self.last, self.first)
        waiting = [part.pick() for part in parts for _ in range(min(len(part), MOST_LOOKED_AT))]
        self._add_errors([*waiting, *dropped])

    def _add_errors(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            if not candidate.is_risky:
                self._others.append(candidate)
                continue
            place = candidate.site
            self._tries[place] += 1
            if self._tries[place] <= (TRIES_PER_PLACE if candidate.is_error else TRIES_PER_PIN):
                self._risky.append(candidate)

    def __bool__(self) -> bool:
        """Asked for before every candidate: counting takes longer."""
        return bool(len(self)) if self._only_errors else bool(self.first or self.last or self.errors)

    def __len__(self) -> int:
        if self._only_errors:
            return len(self._risky) + min(len(self._others), self._other_tries)
        return len(self.first) + len(self.last) + len(self.errors)
