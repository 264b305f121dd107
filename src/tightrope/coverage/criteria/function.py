"""Function coverage: the function is called, and each of its exits is taken.

RTCA DO-178C, Table A-7: every point of entry and exit has been invoked at least once. An exit is a `return`, or the end
of the body if control can reach it; a call that never returns is not an exit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tightrope.coverage.criterion import NO_MARKS, Need, Subject
from tightrope.coverage.objective import Objective, number_equals, relative_place
from tightrope.location import Location
from tightrope.program.flow.points import side_target, sides
from tightrope.program.ir.model import Block


class FunctionCoverage:
    """One objective for the entry, one for each exit."""

    name: ClassVar[str] = "function"
    help: ClassVar[str] = "the function is called, and each return and the end of its body is reached"
    needs: ClassVar[frozenset[Need]] = NO_MARKS

    def find_objectives(self, subject: Subject) -> tuple[Objective, ...]:
        return find_entry_and_exits(subject, self.name)


def find_entry_and_exits(subject: Subject, criterion: str) -> tuple[Objective, ...]:
    """What a criterion asks of the points of entry and exit: the entry comes first."""
    found = [each for block in subject.function.blocks for each in _find_exits(subject, block)]
    exits = sorted(_join_ends(found), key=lambda each: (each.place, each.points))
    return number_equals([_entry(subject, criterion), *(_exit_objective(subject, criterion, each) for each in exits)])


@dataclass(frozen=True, slots=True)
class _Exit:
    place: Location
    points: tuple[int, ...]
    is_return: bool  # a `return`, not the end of the body


def _find_exits(subject: Subject, block: Block) -> Iterator[_Exit]:
    """The ways out of a block that ends in `ret`.

    clang gives each `return` a branch to one block, unless there is only one. In a void function that block may be
    the one behind the last statement, to which control also comes by itself:

        if.then:    br label %while.end     ; return;
        while.cond: br i1 %c, label %while.body, label %while.end
        while.end:  ret void                ; the end of the body
    """
    last = block.instructions[-1]
    if last.opcode != "ret":
        return
    place = _known(last.location) or subject.first
    ways = list(_ways_into(subject, block))
    if not any(is_return for _, _, is_return in ways):
        yield _Exit(place, (subject.point(block.name),), _starts_with_return(subject, place))
        return
    for where, point, is_return in ways:
        yield _Exit(where if is_return else place, (point,), is_return)


def _ways_into(subject: Subject, block: Block) -> Iterator[tuple[Location, int, bool]]:
    """Place and point of each edge into the block, and whether it is a `return`."""
    end = block.instructions[-1].location
    for other in subject.function.blocks:
        last = other.instructions[-1]
        if not sides(other) and block.name in last.targets:
            place = _known(last.location) or subject.first
            is_return = _starts_with_return(subject, place) or (block.name == "return" and last.location != end)
            cleanup = list(_ways_into(subject, other)) if other.name.startswith("cleanup") else []
            yield from cleanup or [(place, subject.point(other.name), is_return)]
        for side in sides(other):
            if side_target(other, side) == block.name:
                yield subject.first, subject.point(other.name, side), False


def _known(place: Location | None) -> Location | None:
    return place if place and place.line else None


def _starts_with_return(subject: Subject, place: Location) -> bool:
    return bool(re.match(r"return\b", subject.source.rest_of_line(place)))


def _join_ends(exits: list[_Exit]) -> Iterator[_Exit]:
    """The exits, with one end of the body: control may come there from several blocks."""
    yield from (each for each in exits if each.is_return)
    end = [each for each in exits if not each.is_return]
    if end:
        yield _Exit(end[0].place, tuple(sorted({point for each in end for point in each.points})), False)


def _entry(subject: Subject, criterion: str) -> Objective:
    return Objective(
        id=f"{subject.name}:{criterion}:entry",
        criterion=criterion,
        kind="entry",
        location=subject.first,
        text=f"{subject.name} is called",
        points=(subject.point(subject.function.blocks[0].name),),
        sentence=f"no test calls {subject.name}",
    )


def _exit_objective(subject: Subject, criterion: str, found: _Exit) -> Objective:
    shown = re.sub(r"(?<=;).*", "", subject.source.rest_of_line(found.place)).strip() if found.is_return else ""
    text = f"`{shown}`" if shown else "the end of the body"
    return Objective(
        id=f"{subject.name}:{criterion}:{relative_place(found.place, subject.first)}:exit",
        criterion=criterion,
        kind="exit",
        location=found.place,
        text=f"{subject.name} is left by {text}",
        points=found.points,
        sentence=f"no test leaves {subject.name} by {text}",
    )
