"""What a call leaves in memory that was there before it: variables, and what the unit was given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tightrope.encoding.memory import Memory
from tightrope.encoding.outputs import Observer
from tightrope.encoding.values import Cells, Nature, Object

Padding = Callable[[Object], Collection[int]]  # the bytes of a variable that C has no name for


@dataclass(frozen=True, slots=True)
class Left:
    """An object that a version has touched."""

    object: Object
    before: Memory
    after: Memory
    padding: Collection[int]

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Where something is, of what size. Where cells do not fit, bytes."""
        found = cut(self, self, self.object.size, self.before)
        return (piece for piece in found if not set(self.padding).issuperset(range(piece[0], sum(piece))))


def find_left(observer: Observer, padding: Padding, names: Mapping[str, str] | None = None) -> dict[str, Left]:
    """What the call may have changed: variables, and what the unit was given, by name. `names`: what is given is called
    otherwise, as far as the other version has it."""
    before, after = observer.before, observer.after
    if before is None or after is None:
        return {}
    found = {}
    for where in after.touched():
        is_ours = where.name.startswith("@tightrope_") and where.nature is not Nature.GIVEN
        if where.nature in (Nature.MUTABLE, Nature.GIVEN) and where.name.startswith("@") and not is_ours:
            name = where.name[1:]
            if names is not None and where.nature is Nature.GIVEN:
                name = names.get(name, f"{name} of the old version")
            found[name] = Left(where, before, after, padding(where))
    return found


def cut(one: Left, other: Left, size: int, *further: Memory) -> Iterator[tuple[int, int]]:
    """Pieces of both that no cell of either overlaps in part."""
    every = [one.after.cells(one.object), other.after.cells(other.object), *(m.cells(one.object) for m in further)]
    starts = sorted({start for cells in every for start in cells if start < size})
    end = 0
    for start in starts:
        sizes = {cells[start][0] for cells in every if start in cells}
        if (
            len(sizes) == 1
            and start >= end
            and not _is_cut(every, start, start + max(sizes))
            and start + max(sizes) <= size
        ):
            end = start + max(sizes)
            yield start, max(sizes)
        else:
            last = min(size, start + max(sizes))
            yield from ((at, 1) for at in range(max(start, end), last))
            end = max(end, last)


def _is_cut(every: Sequence[Cells], start: int, end: int) -> bool:
    return any(at in cells for cells in every for at in range(start + 1, end))
