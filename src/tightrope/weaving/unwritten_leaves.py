"""The leaves of expressions that stand for what nothing has written (see runtime/unwritten.c): numbered by the weaver,
made by the runtime."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.program.marks.unwritten import RESULT
from tightrope.running.endings import IS_RESULT
from tightrope.running.places import PlaceTable


class LeafTable:
    """Numbers of leaves, by their bits, sort and name."""

    def __init__(self, places: PlaceTable) -> None:
        self._places = places
        self._numbers: dict[tuple[int, int, int], int] = {}

    def load(self, bits: int, sort: int, name: str) -> str:
        """An instruction that yields the leaf of a local."""
        what = self._places.number(name, None) | (IS_RESULT if name == RESULT else 0)
        number = self._numbers.setdefault((bits, sort, what), len(self._numbers))
        return f"load i32, ptr getelementptr (i8, ptr @tr_leaves, i64 {4 * number})"

    def definitions(self) -> Iterator[str]:
        kind, count = "{ i32, i32, i32 }", len(self._numbers)
        rows = ", ".join(f"{kind} {{ i32 {bits}, i32 {sort}, i32 {what} }}" for bits, sort, what in self._numbers)
        yield f"@tr_leaf_entries = constant [{count} x {kind}] {f'[{rows}]' if rows else 'zeroinitializer'}"
        yield f"@tr_leaves = global [{count} x i32] zeroinitializer"
        yield f"@tr_leaves_count = constant i64 {count}"
