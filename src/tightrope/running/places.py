"""Places: numbered points of the unit where a run may end, pin a value or leave the model. The weaver
numbers them, the runtime reports numbers, and this table turns them back into C."""

from __future__ import annotations

from dataclasses import dataclass

from tightrope.location import Location


@dataclass(frozen=True, slots=True)
class Place:
    what: str  # 'division', 'array access', 'inline assembly', 'call of `time`' ...
    location: Location | None

    def __str__(self) -> str:
        return f"{self.what} at {self.location}" if self.location else self.what


class PlaceTable:
    """Number 0 is no place."""

    def __init__(self) -> None:
        self.places: list[Place] = [Place("", None)]
        self._numbers: dict[Place, int] = {}
        self._pairs: dict[tuple[Place, Place], int] = {}

    def pair(self, first: str, second: str, location: Location | None) -> int:
        """The number of the first of two places with neighbouring numbers."""
        places = (Place(first, location), Place(second, location))
        if places not in self._pairs:
            self._pairs[places] = len(self.places)
            self.places.extend(places)
        return self._pairs[places]

    def number(self, what: str, location: Location | None) -> int:
        place = Place(what, location)
        if place not in self._numbers:
            self._numbers[place] = len(self.places)
            self.places.append(place)
        return self._numbers[place]
