"""A report about code that has moved to other lines of its file, because something else in the file is longer or
shorter than it was. Verdicts are about the code; only the numbers of lines change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from tightrope.report.model import UnitReport

_LINES = re.compile(r"\b(lines?) (\d+)(?: to (\d+))?")
_ELSEWHERE = re.compile(r"not within|does not support|\.[ch]:\d")  # the line may be one of another file
_OF_USER = ("source", "change", "id", "inputs", "written", "command", "file")  # no words of ours


def may_be_moved(text: str) -> bool:
    """False for C that itself has words such as `line 12`, which reports would quote."""
    return _LINES.search(text) is None


def move_lines(unit: UnitReport, lines: Mapping[int, int]) -> UnitReport | None:
    """The report with the new number of each line of the unit's file. None if that cannot be told beyond doubt: there
    is another line, or a sentence whose line may be one of another file."""
    if unit.defined_in:
        return None
    try:
        moved: UnitReport = _Move(unit.file, lines).of(unit, unit.file)
    except KeyError:
        return None
    return moved


@dataclass(frozen=True, slots=True)
class _Move:
    own: str  # the unit's file
    lines: Mapping[int, int]

    def of(self, value: Any, file: str) -> Any:
        """`file`: of the places in the value, unless it names another one."""
        if isinstance(value, str):
            return _LINES.sub(lambda found: self._word(found, value), value)
        if isinstance(value, tuple):
            return tuple(self.of(each, file) for each in value)
        if not is_dataclass(value) or isinstance(value, type):
            return value
        file = getattr(value, "file", "") or file
        changes: dict[str, Any] = {}
        for each in fields(value):
            found = getattr(value, each.name)
            if each.name == "line":
                changes["line"] = self.lines[found] if found and file == self.own else found
            elif each.name not in _OF_USER:
                changes[each.name] = self.of(found, file)
        return replace(value, **changes)

    def _word(self, found: re.Match[str], text: str) -> str:
        numbers = [int(each) for each in found.groups()[1:] if each]
        if all(self.lines.get(each, each) == each for each in numbers):
            return found[0]
        if _ELSEWHERE.search(text):
            raise KeyError(text)
        return f"{found[1]} {' to '.join(str(self.lines[each]) for each in numbers)}"
