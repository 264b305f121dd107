"""What the user asks of the inputs of a sequence. What is said about a parameter of a function (in its source, under
[function.NAME], or by name on the command line) holds for each of its calls:

    step: level <= 9        step_1_level <= 9, step_2_level <= 9, ...

A first parameter that points to a struct, as the handle of a module does, is the same in all calls that have one,
unless it is declared const or the user asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tightrope.inputs.wishes import Wish, Wishes
from tightrope.options.options import Options
from tightrope.program.declarations.c_types import CFunction, CPointer, CQualified, CRecord, CTypedef, CTypes, TypeId
from tightrope.program.declarations.declare import is_qualified
from tightrope.program.declarations.sequence import SequenceCall, calls_of
from tightrope.units.input_requests import Asked, InputRequest, gather

Row = tuple[str, Wish]
_WORD = re.compile(r"(?<![\w.])(?<!->)[^\W\d]\w*")


def gather_for_calls(
    function: CFunction,
    calls: Sequence[SequenceCall],
    ctypes: CTypes,
    options: Options,
    read_source: Callable[[str], str | None],
) -> Asked:
    """Collect all wishes for the inputs of the calls; `function` makes them, `options` are those for it."""
    whole = gather(function, options, read_source)
    names = tuple(dict.fromkeys(call.function for call in calls))
    asked = [
        (calls_of(calls, name), gather(ctypes.functions[name], _of_function_alone(options, name), read_source))
        for name in names
    ]
    rows = [
        row for mine, one in asked for path, wish in _all_rows(one.wishes) for row in _renamed_rows(path, wish, mine)
    ]
    said = _for_every_call(_all_rows(whole.wishes), calls)
    wishes = replace(whole.wishes, rows=(), weaker=None).below(_same_objects(calls, ctypes)).below(rows).below(said)
    assumptions = [
        *(text for mine, one in asked for each in one.assumptions for text in _assumed(each, mine)),
        *(text for each in whole.assumptions for text in _assumed_of_all(each, calls)),
    ]
    requests = [
        *(
            replace(each, path=path, wish=wish)
            for mine, one in asked
            for each in one.requests
            for path, wish in _renamed_rows(each.path, each.wish, mine)
        ),
        *(
            InputRequest(path, wish, each.location)
            for each in whole.requests
            for path, wish in _for_every_call([(each.path, each.wish)], calls)
        ),
    ]
    return Asked(wishes, tuple(dict.fromkeys(assumptions)), tuple(requests))


def _of_function_alone(options: Options, name: str) -> Options:
    """What the source and the spec file say about this function; the rest is said about the sequence."""
    own = options.per_function.get(name, {})
    given = {key: own.get(key, ()) for key in ("wishes", "assumptions")}
    return replace(options, commanded={}, per_function={name: given}, **given)


def _all_rows(wishes: Wishes) -> Iterator[Row]:
    """The weakest first."""
    if wishes.weaker is not None:
        yield from _all_rows(wishes.weaker)
    yield from wishes.rows


def _for_every_call(rows: Iterable[Row], calls: Sequence[SequenceCall]) -> Iterator[Row]:
    """A row about a parameter of a function, for each of its calls; other rows as they are."""
    for path, wish in rows:
        found = list(_renamed_rows(path, wish, calls))
        yield from found or [(path, wish)]


def _renamed_rows(path: str, wish: Wish, calls: Sequence[SequenceCall]) -> Iterator[Row]:
    for call in calls:
        if _words_of(path)[:1] and _words_of(path)[0] in call.arguments:
            names = call.arguments
            length, into, same = (text and _renamed(text, names) for text in (wish.length, wish.into, wish.same_as))
            yield _renamed(path, names), replace(wish, length=length, into=into, same_as=same)


def _assumed_of_all(text: str, calls: Sequence[SequenceCall]) -> Iterator[str]:
    found = list(_assumed(text, calls))
    yield from found or [text]


def _assumed(text: str, calls: Sequence[SequenceCall]) -> Iterator[str]:
    """The assumption for each call that has all the parameters of which it speaks."""
    words = _words_of(text)
    mentioned = {word for word in words for call in calls if word in call.arguments}
    for call in calls:
        if mentioned and mentioned <= call.arguments.keys():
            yield _renamed(text, call.arguments)


def _words_of(text: str) -> list[str]:
    """Identifiers that are no members."""
    return _WORD.findall(text)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda found: names.get(found[0], found[0]), text)


def _same_objects(calls: Sequence[SequenceCall], ctypes: CTypes) -> Iterator[Row]:
    """Each first parameter that points to a struct equals the first one that points to the same struct."""
    known: dict[TypeId, str] = {}
    for call in calls:
        parameters = ctypes.functions[call.function].parameters
        number = _handle(ctypes, parameters[0].type) if parameters else None
        if number is None:
            continue
        argument = next(iter(call.arguments.values()))
        if number in known:
            yield argument, Wish(same_as=known[number])
        known.setdefault(number, argument)


def _handle(ctypes: CTypes, number: TypeId) -> TypeId | None:
    """The struct to which a parameter of this type points; None for other types."""
    kind = ctypes.strip(number)
    if not isinstance(kind, CPointer) or is_qualified(ctypes, kind.target, frozenset({"const"})):
        return None
    target = _plain(ctypes, kind.target)
    record = ctypes.types[target]
    return target if isinstance(record, CRecord) and record.is_complete else None


def _plain(ctypes: CTypes, number: TypeId) -> TypeId:
    """The type without typedefs and qualifiers."""
    kind = ctypes.types[number]
    while isinstance(kind, CTypedef | CQualified):
        number = kind.target
        kind = ctypes.types[number]
    return number
