"""Explains why an objective is impacted: the shortest chain from a change to it, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tightrope.commands.diff.changes.change import Change, ChangeKind
from tightrope.commands.diff.impact.impact import How, Impact, Link
from tightrope.commands.diff.impact.numbered_code import NumberedCode
from tightrope.commands.diff.impact.propagate import AffectedCode, ImpactStep, VersionPlace
from tightrope.location import Location

Words = Callable[[Location], str]  # what the user wrote at a place; '' if unknown
MOST_LINKS = 12  # of a chain


@dataclass(slots=True)
class Reasons:
    """`words` reads the texts of both versions."""

    affected: AffectedCode
    changes: Sequence[Change]
    words: Words = lambda place: ""
    _order: dict[VersionPlace, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._order = {spot: number for number, spot in enumerate(self.affected.steps)}

    def of(self, spots: Sequence[VersionPlace]) -> Impact:
        """The impact on an objective at these places, by the place that is nearest to a change."""
        spot = min(spots, key=self._order.__getitem__)
        way = list(self._way(spot))[::-1]
        change = self._change(way[0][0], way[0][1].name)
        how = How.CHANGED if len(way) == 1 else next((s.how for _, s in way[:0:-1]), How.CHANGED)
        chain = tuple(self._link(*each) for each in way)
        return Impact(how, change, chain[-MOST_LINKS:], self._sentence(how, change, chain, self._decider(way)))

    def new(self) -> Impact:
        return Impact(How.CHANGED, None, (), "the old version has no such objective")

    def decides(self) -> Impact:
        return Impact(How.DECIDES, None, (), "decides whether changed code is reached")

    def gone(self) -> Impact:
        return Impact(How.CHANGED, None, (), "the new version has no such objective")

    def unclear(self) -> Impact:
        return Impact(How.OTHER, None, (), "it cannot be matched exactly with the old version, so it may be affected")

    # -- the chain

    def _way(self, spot: VersionPlace) -> Iterator[tuple[VersionPlace, ImpactStep]]:
        """From the objective back to a change; a step to the same place in the other version does not count."""
        at: VersionPlace | None = spot
        while at is not None:
            step = self.affected.steps[at]
            if step.source is None or step.source[0] == at[0]:
                yield at, step
            at = step.source

    def _code(self, spot: VersionPlace) -> NumberedCode:
        return (self.affected.old if spot[0] else self.affected.new).code

    def _link(self, spot: VersionPlace, step: ImpactStep) -> Link:
        is_old, at = self._shown(spot)
        place = self._code((is_old, at)).location(at)
        return Link(step.how, place, step.name.lstrip("@") or self._words((is_old, at)), is_old)

    def _shown(self, spot: VersionPlace) -> VersionPlace:
        """The same place in the new version, if there is one."""
        partner = self.affected.alignment.new_of.get(spot[1]) if spot[0] else None
        return spot if partner is None else (False, partner)

    def _words(self, spot: VersionPlace) -> str:
        """The tested expression, if the place is the branch at the end of a block."""
        code, at = self._code(spot), spot[1]
        if at >= len(code.instructions) or code.instructions[at].opcode not in ("br", "switch"):
            return ""
        each = code.instructions[at]
        tested = code.definitions.get((code.function_of(at), each.operands[0].text)) if each.operands else None
        place = code.location(at if tested is None else tested)
        return self.words(place) if place else ""

    def _decider(self, way: Sequence[tuple[VersionPlace, ImpactStep]]) -> Link | None:
        """The last branch in the chain before the objective."""
        links = [self._link(*each) for each in way[:-1] if self._words(self._shown(each[0]))]
        return links[-1] if links else None

    # -- the change

    def _change(self, spot: VersionPlace, name: str) -> Change | None:
        """The change that a seed belongs to: the smallest one around its place, otherwise the nearest in its
        function."""
        by_name = [each for each in self.changes if name and each.name == name.lstrip("@")]
        if by_name:
            return by_name[0]
        place = self._code(spot).location(spot[1])
        function = self._code(spot).function_of(spot[1]).lstrip("@")
        around = [each for each in self.changes if place and _holds(each, place, spot[0])]
        if around:
            return min(around, key=lambda each: _length(each, spot[0]))
        near = [each for each in self.changes if each.function == function] or self._of_declarations()
        if near and place:
            return min(near, key=lambda each: _distance(each, place, spot[0]))
        return near[0] if near else None

    def _of_declarations(self) -> list[Change]:
        return [
            each for each in self.changes if each.kind in (ChangeKind.TYPE, ChangeKind.GLOBAL, ChangeKind.SIGNATURE)
        ]

    # -- words

    def _sentence(self, how: How, change: Change | None, chain: Sequence[Link], decider: Link | None) -> str:
        told = describe(change) if change else self._unknown_change(chain)
        if how is How.CHANGED:
            return told
        if how is How.CONTROL:
            how_reached = f"is controlled by {_quoted(decider)}" if decider else "is reached conditionally"
            return f"{how_reached}: depends on {told}"
        if how is How.ENDS:
            where = next((link.location for link in chain[-2::-1] if link.location), None)
            return f"follows {_line(where)}, where runs may end: depends on {told}"
        return f"depends on {told}"

    def _unknown_change(self, chain: Sequence[Link]) -> str:
        place = chain[0].location if chain else None
        return f"code that is compiled differently{f', {_line(place)}' if place else ''}"


def describe(change: Change) -> str:
    """A change as part of a sentence: '`limit = 5`, changed at line 12 (it was `limit = 3`)'."""
    if change.new is None:
        at = f" (line {change.old.line} of the old version)" if change.old and change.old.line else ""
        return f"`{change.old_text or change.name}`, removed{at}"
    text = change.new_text or change.name
    if change.old is None:
        return f"`{text}`, added at line {change.new.line}"
    was = f" (it was `{change.old_text}`)" if change.old_text and change.old_text != text else ""
    name = f"`{change.name}`, " if change.name and change.name not in text else ""
    return f"{name}`{text}`, changed at line {change.new.line}{was}"


def _quoted(link: Link) -> str:
    return f"`{link.words}` ({_line(link.location)})"


def _line(place: Location | None) -> str:
    return f"line {place.line}" if place else "something"


def _range(change: Change, is_old: bool) -> tuple[Location | None, Location | None]:
    return (change.old, change.old_end) if is_old else (change.new, change.new_end)


def _holds(change: Change, place: Location, is_old: bool) -> bool:
    start, end = _range(change, is_old)
    if start is None or start.file != place.file:
        return False
    last = end if end is not None and end.file == start.file else start
    first, at = (start.line, start.column), (place.line, place.column)
    if not place.column:
        return start.line <= place.line <= last.line
    return first <= at <= (last.line, max(last.column, start.column + 1))


def _length(change: Change, is_old: bool) -> tuple[int, int]:
    start, end = _range(change, is_old)
    if start is None or end is None:
        return (0, 0)
    return (end.line - start.line, end.column - start.column)


def _distance(change: Change, place: Location, is_old: bool) -> tuple[int, int]:
    start, _ = _range(change, is_old)
    if start is None or start.file != place.file:
        return (1 << 30, 0)
    return (abs(start.line - place.line), abs(start.column - place.column))
