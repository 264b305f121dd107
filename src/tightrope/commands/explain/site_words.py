"""Watched conditions in words of the C: where each stands, and what it would have to do.

A condition in C of Tightrope (library models and stubs) is described by the function that the user knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from tightrope.encoding.watched import ASSUMPTION, CONDITION, Role, Site
from tightrope.harness.driver import is_driver
from tightrope.library.libc_models import PREFIX, is_model
from tightrope.location import Location
from tightrope.program.c_text.source_text import SourceText
from tightrope.report.as_explanation import Clause
from tightrope.source.project import as_named
from tightrope.units.marked_program import enumerators
from tightrope.units.prepared import PreparedUnit
from tightrope.units.side_words import read_sides

_SIDE = re.compile(r"(?P<stem>.*) (?P<verb>is (?:not )?(?:true|false|taken))")
_STUB = "tightrope_stub_"
Said = tuple[Location, str]  # where, and what is so when this side is taken


class SiteWords:
    """The words for the sites of one unit."""

    def __init__(self, unit: PreparedUnit) -> None:
        self.unit = unit
        self.source = SourceText(enumerators=enumerators(unit.ctypes))
        self._sides: dict[str, dict[tuple[str, int], Said]] = {}

    def clause(self, role: Role) -> Clause:
        """What the watched condition would have to do."""
        function, place, number = role.site
        if place == ASSUMPTION:
            return self._assumption(number)
        ours = self._ours(function)
        if ours:
            return self._clause(ours[0], ours[1])
        said = {side: self.said(role.site, side) for side in {*role.may, *role.must, 0, 1}}
        at = said[role.may[0]][0] if len(role.may) == 1 else said[1][0]
        return self._clause(at, show_role(role, {side: text for side, (_, text) in said.items()}))

    def said(self, site: Site, side: int) -> Said:
        """Where the site is, and the words for one of its sides."""
        function, place, number = site
        if place == CONDITION:
            decision, at = self.unit.marks.condition_places()[number]
            condition = self.unit.marks.decisions[decision].conditions[at]
            return condition.location, f"`{condition.text}` is {'true' if side else 'false'}"
        known = self.sides_of(function)
        return known[place, side] if (place, side) in known else self._somewhere(function, place, side)

    def sides_of(self, function: str) -> dict[tuple[str, int], Said]:
        """By block and side, in the words of the criterion `branch`."""
        if function not in self._sides:
            found = read_sides(self.unit.program.functions[function], self.source)
            self._sides[function] = {side: (at, quoted(text)) for side, (at, text) in found.items()}
        return self._sides[function]

    def _somewhere(self, function: str, block: str, side: int) -> Said:
        """A branch that is not an objective."""
        found = self.unit.program.functions[function]
        last = next(each for each in found.blocks if each.name == block).instructions[-1]
        at = last.location or found.location or self._whole
        return at, f"the branch takes side {side}"

    def _assumption(self, number: int) -> Clause:
        texts = self.unit.driver.assumptions
        text = texts[number - 1] if 0 < number <= len(texts) else f"assumption {number}"
        return self._clause(self._whole, text, "assumed")

    def _clause(self, at: Location, text: str, note: str = "") -> Clause:
        shown = self.named(at)
        return Clause(shown.file, shown.line, shown.column, text, note)

    def named(self, at: Location) -> Location:
        """The place with its file as people name it."""
        return replace(at, file=as_named(at.file, self.unit.file.path, self.unit.file.working_directory))

    def _ours(self, name: str) -> Said | None:
        """For a function that the user did not write: where it is called, and its description in the user's terms."""
        place = self.unit.program.functions[name].location
        if name.startswith(f"@{PREFIX}") or (place and is_model(place.file)):
            return self._call_of(name), f"the result of `{name.removeprefix(f'@{PREFIX}').removeprefix('@')}`"
        if place and is_driver(place):
            stub = name.removeprefix("@").removeprefix(_STUB)
            known = name.startswith(f"@{_STUB}")
            return self._call_of(name), f"the answer of `{stub}`" if known else "the choice of inputs"
        return None

    def _call_of(self, name: str) -> Location:
        """Where the user's C calls it, if there is exactly one such call."""
        names = (name, f"@{name.removeprefix(f'@{PREFIX}').removeprefix('@')}")
        found = [place for each in dict.fromkeys(names) for place in self._calls.get(each, ())]
        return found[0] if len(found) == 1 else self._whole

    @cached_property
    def _calls(self) -> dict[str, list[Location]]:
        found: dict[str, list[Location]] = {}
        for function in self.unit.program.functions.values():
            for block in function.blocks:
                for each in block.instructions:
                    at = each.location
                    if each.callee and at and at.line and not is_driver(at) and not is_model(at.file):
                        found.setdefault(each.callee, []).append(at)
        return found

    @property
    def _whole(self) -> Location:
        return self.unit.interface.function.location


def quoted(text: str) -> str:
    """`speed > 200 is true` with the C in backquotes; `case GREEN (5)` as what happens."""
    found = _SIDE.fullmatch(text)
    if found:
        return f"`{found['stem']}` {found['verb']}"
    return text if text.endswith("matches") else f"`{text}` is taken"


def show_role(role: Role, said: dict[int, str]) -> str:
    """What the watched condition would have to do, in one line. `said` has the words for each side."""
    is_repeated = role.visits > 1
    if len(role.may) == 1:
        (side,) = role.may
        return said[side] + (" each time" if is_repeated else "")
    if role.must:
        return _joined([said[side] for side in role.must])
    found = _CONDITION.match(said.get(1, ""))
    what = "decides, whichever value it has" if role.may else "is not evaluated"
    return f"{found['stem'] if found else 'the branch'} {what}"


_CONDITION = re.compile(r"(?P<stem>`.*`) (?P<verb>.*)")


def _joined(texts: Sequence[str]) -> str:
    """`a` is true at least once and false at least once."""
    parts = [f"{text} at least once" for text in texts]
    found = [_CONDITION.fullmatch(text) for text in parts]
    stems = {each["stem"] for each in found if each}
    if len(stems) == 1 and all(found):
        verbs = [each["verb"].removeprefix("is ") for each in found if each]
        return f"{stems.pop()} is {' and '.join(verbs)}"
    return " and ".join(parts)
