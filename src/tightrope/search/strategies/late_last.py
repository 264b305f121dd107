"""Late last: what mostly ends a run at once waits until nothing else is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.strategy import Strategy

TRIES_PER_PLACE = 4


class LateLast:
    """Two strategies of one kind: the second holds the late candidates and is asked when the first is empty.

    When everything is covered, `look_for_errors` leaves only those that are run-time errors, a few for each place
    in the code: they cover nothing, but a person wants to know of them."""

    name: ClassVar[str] = "late-last"
    help: ClassVar[str] = "as another strategy, but late candidates last"

    def __init__(self, first: Strategy, last: Strategy, errors: Strategy) -> None:
        self.first, self.last, self.errors = first, last, errors
        self._only_errors = False
        self._tries: Counter[int] = Counter()

    def add(self, candidates: Sequence[Candidate]) -> None:
        if self._only_errors:
            return self._add_errors([candidate for candidate in candidates if candidate.is_error])
        late = [candidate for candidate in candidates if candidate.is_late]
        self.last.add(late)
        self.first.add([candidate for candidate in candidates if not candidate.is_late] if late else candidates)

    def pick(self) -> Candidate:
        if self._only_errors:
            return self.errors.pick()
        return self.first.pick() if len(self.first) else self.last.pick()

    def look_for_errors(self) -> None:
        self._only_errors = True
        left = [self.last.pick() for _ in range(len(self.last))]
        self._add_errors([candidate for candidate in left if candidate.is_error])

    def _add_errors(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            place = candidate.site
            self._tries[place] += 1
            if self._tries[place] <= TRIES_PER_PLACE:
                self.errors.add([candidate])

    def __len__(self) -> int:
        return len(self.errors) if self._only_errors else len(self.first) + len(self.last)
