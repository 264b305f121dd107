"""What the user asks of the inputs of one function: collected from the source, the spec file and the command line, and
checked against the inputs that exist.

    command line  >  spec file  >  source  >  defaults
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from tightrope.errors import UsageError
from tightrope.inputs.input_paths import any_number, bind, read_path, steps_of
from tightrope.inputs.shape import (
    BYTE,
    TOO_DEEP,
    Elements,
    Fixed,
    FixedPointer,
    InputShape,
    Leaf,
    PointsInto,
    Shape,
    walk,
)
from tightrope.inputs.source_wishes import SourceWish, find_source_wishes
from tightrope.inputs.wishes import NO_GROWTH, Growth, Wish, Wishes, read_wish_line, show_wish
from tightrope.location import Location
from tightrope.options.option_values import read_expression
from tightrope.options.options import DEFAULTS, Options
from tightrope.program.declarations.c_types import (
    CArray,
    CEnum,
    CFunction,
    CFunctionType,
    CMember,
    CPointer,
    CRecord,
    CType,
    CTypes,
    CVoid,
)

_ASSUME = re.compile(r"assume\s+(?![=\s])(.+)", re.DOTALL)
T = TypeVar("T")
_MANY = 8  # paths that are listed when none is near


@dataclass(frozen=True, slots=True)
class InputRequest:
    """One wish, with its place if it is in the source."""

    path: str
    wish: Wish
    location: Location | None = None

    def problem(self, message: str, hint: str, slug: str) -> UsageError:
        said_in = "" if self.location else "--input: "
        return UsageError(f"{said_in}{message}", location=self.location, hint=hint, slug=slug)


@dataclass(frozen=True, slots=True)
class Asked:
    wishes: Wishes
    assumptions: tuple[str, ...]  # the source's, then those of the spec file and the command line
    requests: tuple[InputRequest, ...]  # meant for this function, so they must fit it


def gather(
    function: CFunction, options: Options, read_source: Callable[[str], str | None], growth: Growth = NO_GROWTH
) -> Asked:
    """Collect all wishes for the inputs of the function; `options` are those for it."""
    source = read_source(function.location.file) or ""
    place = replace(function.location, file=_as_named(function.location.file))
    said = find_source_wishes(source, function.name, place)
    own = [_read(one, _request) for one in said if not _ASSUME.fullmatch(one.text)]
    assumed = [_read(one, _assumption) for one in said if _ASSUME.fullmatch(one.text)]
    typed = options.commanded.get("wishes", ())
    written = options.wishes[: len(options.wishes) - len(typed)]
    wishes = _settings(options, [(one.path, one.wish) for one in own]).below(written).below(typed)
    others = [InputRequest(path, wish) for path, wish in options.wishes_for(function.name)]
    return Asked(replace(wishes, growth=growth), (*assumed, *options.assumptions), (*own, *others))


def _as_named(file: str) -> str:
    """Relative to this folder, where the file is below it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _settings(options: Options, rows: Iterable[tuple[str, Wish]]) -> Wishes:
    rows = tuple(rows)
    return Wishes(
        rows,
        depth=options.depth,
        string_length=options.string_length,
        array_length=options.array_length,
        buffer_size=options.buffer_size,
        max_elements=options.max_elements,
        enum=options.enum,
        asked=frozenset(_asked_sizes(options, rows)),
    )


def _asked_sizes(options: Options, rows: Iterable[tuple[str, Wish]]) -> Iterator[str]:
    """Names of sizes that the user gave: they do not grow."""
    for name in ("depth", "string_length", "array_length", "buffer_size", "max_elements", "answers"):
        if name in options.commanded or getattr(options, name) != DEFAULTS[name]:
            yield name
    if any(wish.depth is not None for _, wish in rows):
        yield "depth"


def _read(said: SourceWish, read: Callable[[SourceWish], T]) -> T:
    try:
        return read(said)
    except ValueError as problem:
        hint = 'write /* tightrope: PATH = WISH */ or TIGHTROPE_INPUT("PATH = WISH")'
        raise UsageError(str(problem), location=said.location, hint=hint, slug="input-wish") from None


def _request(said: SourceWish) -> InputRequest:
    return InputRequest(*read_wish_line(said.text), said.location)


def _assumption(said: SourceWish) -> str:
    found = _ASSUME.fullmatch(said.text)
    return read_expression(found[1] if found else "")[0]


# --- checks ---------------------------------------------------------------------------------------


def check_asked(
    asked: Asked, shape: InputShape, ctypes: CTypes, functions: Collection[str], hidden: Collection[str] = ()
) -> None:
    """Report wishes whose path no input has, or whose words do not apply there."""
    if asked.requests:
        check = _Check(asked, shape, ctypes, functions)
        for request in asked.requests:
            _refuse_what_is_not_done(request, {root.name for root in shape.globals})
            if request.path not in hidden:
                check.check(request)


def _refuse_what_is_not_done(request: InputRequest, inputs: Collection[str]) -> None:
    """Refuse wishes that cannot be fulfilled; none is ignored. `inputs`: the variables that are inputs."""
    if request.wish.fresh is not None:
        message = f"`fresh` for `{request.path}`: a test in plain C cannot change it between two reads"
        raise request.problem(message, FRESH_INSTEAD, "input-wish")
    if request.wish.is_input and request.path not in inputs:
        message = f"`input` for `{request.path}`: a test in plain C cannot name it, so it starts with its initial value"
        raise request.problem(message, INPUT_INSTEAD, "input-wish")


FRESH_INSTEAD = "read it in a separate function, in another file or named by --stub: its answers are inputs"
INPUT_INSTEAD = "reach its other values by calls: --sequence, such as 'f*8'"


class _Check:
    def __init__(self, asked: Asked, shape: InputShape, ctypes: CTypes, functions: Collection[str]) -> None:
        self.asked, self.ctypes, self.functions = asked, ctypes, functions
        nodes = [node for root in shape.roots for node, _ in walk(root.shape, root.name, str)]
        self.paths = [(steps_of(node.path), node) for node in nodes if steps_of(node.path)]

    def check(self, request: InputRequest) -> None:
        found = self._at(request.path)
        if found:
            self._check_words(request, found)
        elif not any(self.asked.wishes.for_path(node.path) for node in self._ends(request.path)):
            message = f"no input has the path `{request.path}`"
            raise request.problem(message, self._hint(request.path), "input-path")
        self._check_mentioned(request)
        self._check_fulfilled(request, found)

    def _at(self, path: str) -> list[Shape]:
        pattern = read_path(path)
        return [node for steps, node in self.paths if bind(pattern, steps) is not None]

    def _ends(self, path: str) -> Iterator[Shape]:
        """Where the inputs end on the way to the path."""
        pattern = read_path(path)
        for steps, node in self.paths:
            is_above = len(steps) < len(pattern) and bind(pattern[: len(steps)], steps) is not None
            if is_above and isinstance(node, Fixed | FixedPointer | PointsInto):
                yield node

    def _hint(self, path: str) -> str:
        for node in self._ends(path):
            if isinstance(node, Fixed | FixedPointer):
                word = "NULL" if isinstance(node, FixedPointer) and node.is_null else "not an input"
                deeper = f"; `{path.split('->')[0]} = depth N` goes deeper" if node.reason == TOO_DEEP else ""
                return f"`{node.path}` is {word}: {node.reason}{deeper}"
        near_first = sorted(self.paths, key=lambda row: len(row[0]))
        known = list(dict.fromkeys(any_number(node.path) for _, node in near_first))
        near = difflib.get_close_matches(any_number(path), known, n=3, cutoff=0.5)
        if near:
            return f"did you mean {' or '.join(near)}?"
        shown = ", ".join(known[:_MANY]) + (", ..." if len(known) > _MANY else "")
        return f"its inputs are {shown}" if known else "the function has no inputs"

    def _check_words(self, request: InputRequest, found: list[Shape]) -> None:
        for part, sorts in _needs(request.wish):
            if not any(self._sort(node) in sorts for node in found):
                needed = f"{'an' if sorts[0] == 'enum' else 'a'} {' or '.join(sorts)}"
                message = f"`{part}` does not apply to `{request.path}`: it needs {needed}"
                raise request.problem(message, "tightrope inputs shows what each input is", "input-wish")
        names = [one.name for node in found for one in self._members(node)]
        if request.wish.member and request.wish.member not in names:
            hint = f"its members are {', '.join(names)}"
            raise request.problem(f"`{request.path}` has no member `{request.wish.member}`", hint, "input-wish")

    def _sort(self, node: Shape) -> str:
        """What it is, in the words of `_needs`."""
        kind = self._type(node)
        if isinstance(kind, CPointer):
            return "pointer to a function" if isinstance(self.ctypes.strip(kind.target), CFunctionType) else "pointer"
        if isinstance(kind, CRecord):
            return kind.kind
        return "array" if isinstance(kind, CArray) else "enum" if isinstance(kind, CEnum) else "number"

    def _members(self, node: Shape) -> tuple[CMember, ...]:
        kind = self._type(node)
        return kind.members if isinstance(kind, CRecord) else ()

    def _check_fulfilled(self, request: InputRequest, found: list[Shape]) -> None:
        """A pointer can share the object of an earlier pointer only."""
        asked = [self.asked.wishes.for_path(node.path) for node in found]
        lost = [one for one, node in zip(asked, found, strict=True) if not isinstance(node, PointsInto)]
        if (request.wish.into or request.wish.same_as) and any(one.into or one.same_as for one in lost):
            other = request.wish.into or request.wish.same_as
            message = f"`{request.path}` cannot share the object of `{other}`"
            hint = "the other must be a pointer with an object of its own, and come before this one"
            raise request.problem(message, hint, "input-wish")

    def _type(self, node: Shape) -> CType:
        if isinstance(node, Elements):  # also standard input, which has no C type
            return CArray(node.type, node.length)
        return CVoid() if node.type == BYTE else self.ctypes.strip(node.type)

    def _check_mentioned(self, request: InputRequest) -> None:
        wish = request.wish
        for word, path in (("length", wish.length), ("into", wish.into), ("same-as", wish.same_as)):
            if path and not self._at(path):
                raise request.problem(f"`{word} {path}`: no input has that path", self._hint(path), "input-path")
        if wish.length and not any(isinstance(node, Leaf) for node in self._at(wish.length)):
            raise request.problem(f"`length {wish.length}`: that is not a number", "", "input-wish")
        for name in wish.functions:
            if name not in self.functions:
                near = difflib.get_close_matches(name, sorted(self.functions), n=3)
                hint = f"did you mean {' or '.join(near)}?" if near else ""
                raise request.problem(f"there is no function `{name}`", hint, "input-wish")


def _needs(wish: Wish) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(part of the wish, what can have it)."""
    if wish.null:
        yield wish.null, ("pointer", "pointer to a function")
    if wish.into or wish.same_as:
        yield show_wish(Wish(into=wish.into, same_as=wish.same_as)), ("pointer",)
    if wish.kind in ("array", "bytes"):
        yield show_wish(Wish(kind=wish.kind, count=wish.count)), ("pointer", "array")
    elif wish.kind:
        yield show_wish(Wish(kind=wish.kind, count=wish.count)), ("pointer",)
    if wish.length:
        yield f"length {wish.length}", ("pointer", "array")
    if wish.functions or wish.is_stub:
        part = Wish(functions=wish.functions, is_stub=wish.is_stub)
        yield show_wish(part), ("pointer to a function",)
    if wish.enum:
        yield wish.enum, ("enum",)
    if wish.member:
        yield f"member {wish.member}", ("union",)
