"""Changes and impacts as rows of the report: places in words of the user, changes by number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.commands.diff.changes.change import Change
from tightrope.commands.diff.impact.impact import Impact, Impacted, Link
from tightrope.coverage.objective import Objective
from tightrope.harness.driver import is_driver
from tightrope.location import Location
from tightrope.report.difference_model import ReportedChange, ReportedImpact, ReportedLink
from tightrope.source.project import short_path

InWords = Callable[[str], str]
NOWHERE = Location("", 0)


@dataclass(frozen=True, slots=True)
class ChangeRows:
    """`old_words` and `new_words` give files of the two versions the names that the user knows."""

    old_words: InWords
    new_words: InWords
    found: Sequence[Change]

    def all_alike(self) -> tuple[ReportedChange, ...]:
        """The changes of code that is compiled alike."""
        return tuple(self._change(number, each, True) for number, each in enumerate(self.found, 1))

    def changes(self, impact: Impacted) -> tuple[ReportedChange, ...]:
        return tuple(self._change(number, each, impact.are_same) for number, each in enumerate(self.found, 1))

    def impacts(self, objectives: Sequence[Objective], impact: Impacted) -> tuple[ReportedImpact, ...]:
        return tuple(self._impacts(objectives, impact, impact.new))

    def deciding(self, objectives: Sequence[Objective], impact: Impacted) -> tuple[ReportedImpact, ...]:
        return tuple(self._impacts(objectives, impact, impact.deciding))

    def _impacts(
        self, objectives: Sequence[Objective], impact: Impacted, told: Mapping[str, Impact]
    ) -> Iterator[ReportedImpact]:
        numbers = {id(each): number for number, each in enumerate(self.found, 1)}
        for each in objectives:
            found = told.get(each.id)
            if found is not None:
                number, chain = numbers.get(id(found.change), 0), tuple(map(_link, _shown(found)))
                yield ReportedImpact(
                    each.id, impact.twins.get(each.id, ""), found.how.value, found.sentence, number, chain
                )

    def _change(self, number: int, each: Change, is_alike: bool) -> ReportedChange:
        old, new = each.old or NOWHERE, each.new or NOWHERE
        old_file = self.old_words(_short(old.file))
        return ReportedChange(
            number,
            each.what,
            each.kind.value,
            each.function,
            each.name,
            self.new_words(_short(new.file)) or old_file,
            new.line,
            new.column,
            old_file,
            old.line,
            old.column,
            each.new_text,
            each.old_text,
            is_alike,
            end_line=each.new_end.line if each.new_end else 0,
        )


def _short(file: str) -> str:
    return short_path(Path(file)) if file else ""


def _shown(impact: Impact) -> list[Link]:
    """The links that people can look at, each place once."""
    found: list[Link] = []
    for each in impact.chain:
        if each.location is None or is_driver(each.location):
            continue
        if found and found[-1].location == each.location and found[-1].is_old == each.is_old:
            continue
        found.append(each)
    return found


def _link(each: Link) -> ReportedLink:
    return ReportedLink(each.how.value, each.location.line if each.location else 0, each.words, each.is_old)
