"""Aims first: candidates that cover something at once come before those that only lead further."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import ClassVar

from tightrope.search.candidate import Candidate
from tightrope.search.strategy import Strategy

TURNS = 4  # a late aim is picked once in so many times


class AimsFirst:
    """Another strategy, with aims handled separately. Aims at obligations that failed a few times are late: they wait,
    oldest first, for every fourth turn, because an unsatisfiable obligation has aims on every path."""

    name: ClassVar[str] = "aims-first"
    help: ClassVar[str] = "as another strategy, but aims at labels and conditions first"

    def __init__(self, others: Strategy) -> None:
        self.others = others
        self._aims: list[Candidate] = []
        self._late: deque[Candidate] = deque()
        self._turn = 0

    def add(self, candidates: Sequence[Candidate]) -> None:
        aims = [candidate for candidate in candidates if candidate.is_aim]
        self._aims.extend(reversed(aims))
        self.others.add([candidate for candidate in candidates if not candidate.is_aim] if aims else candidates)

    def pick(self) -> Candidate:
        while self._aims:
            aim = self._aims.pop()
            if not aim.is_late:
                return aim
            self._late.append(aim)
        self._turn += 1
        if self._late and (not self._turn % TURNS or not self.others):
            return self._late.popleft()
        return self.others.pick()

    def __bool__(self) -> bool:
        """Asked for before every candidate: counting takes longer."""
        return bool(self._aims or self._late or self.others)

    def __len__(self) -> int:
        return len(self._aims) + len(self._late) + len(self.others)
