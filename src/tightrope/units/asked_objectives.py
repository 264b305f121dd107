"""A part of the code: `--objective ID` and `--lines A-B` choose functions, and objectives of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from tightrope.coverage.objective import Objective
from tightrope.errors import NothingMatchedError
from tightrope.options.options import Options
from tightrope.program.ir.model import Function, Program

LISTS_THEM = "`tightrope objectives` and the report (--json) list the ids"


def has_asked_part(function: str, program: Program, options: Options) -> bool:
    """Whether an id names this function (without sigil), or some of its code is in the lines."""
    if options.objective_ids and function not in map(function_of, options.objective_ids):
        return False
    return not options.lines or any(_is_in(line, options) for line in _lines_of(program.functions[f"@{function}"]))


def function_of(objective: str) -> str:
    """The function in whose code an objective lies, by its id."""
    return objective.partition(":")[0]


def asked_objectives(objectives: Sequence[Objective], function: Function, options: Options) -> tuple[Objective, ...]:
    """Those of a unit that were asked for. Raises NothingMatchedError if there is none, or none with an asked id."""
    if not options.objective_ids and not options.lines:
        return tuple(objectives)
    known = {each.id for each in objectives}
    own = {function_of(each.id) for each in objectives} | {function.name[1:]}
    for asked in options.objective_ids:
        if function_of(asked) in own and asked not in known:
            raise _no_such_objective(asked, sorted(known), options)
    chosen = tuple(each for each in objectives if _is_asked(each, function, options))
    if not chosen:
        shown = ", ".join(f"{first}-{last}" if first < last else str(first) for first, last in options.lines)
        message = f"{function.name[1:]} has no objective of {', '.join(options.criteria)} in --lines {shown}"
        raise NothingMatchedError(message, hint="`tightrope objectives` lists where they are", slug="no-such-part")
    return chosen


def describe_part(asked: int, every: int) -> Iterator[str]:
    """A remark, so that nobody takes the part for the whole."""
    if asked < every:
        yield f"only {asked} of {every} objectives were asked for"


def _is_asked(objective: Objective, function: Function, options: Options) -> bool:
    if options.objective_ids and objective.id not in options.objective_ids:
        return False
    is_here = function.location is None or objective.location.file == function.location.file
    return not options.lines or (is_here and _is_in(objective.location.line, options))


def _is_in(line: int, options: Options) -> bool:
    return any(first <= line <= last for first, last in options.lines)


def _lines_of(function: Function) -> Iterator[int]:
    """Where it starts, and where it has code."""
    if function.location is None:
        return
    yield function.location.line
    for each in function.instructions():
        if each.location is not None and each.location.file == function.location.file:
            yield each.location.line


def _no_such_objective(asked: str, known: Sequence[str], options: Options) -> NothingMatchedError:
    near = difflib.get_close_matches(asked, known, 1)
    hint = f"did you mean `{near[0]}`? {LISTS_THEM}" if near else LISTS_THEM
    message = f"{function_of(asked)} has no objective `{asked}` of {', '.join(options.criteria)}"
    return NothingMatchedError(message, hint=hint, slug="no-such-part")
