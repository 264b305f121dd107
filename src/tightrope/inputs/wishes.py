"""Wishes: the small language in which users change what Tightrope chose for an input, `PATH = WISH`.

    buffer              = array 16, length n      16 elements, and `n` gives the number of elements in use
    cfg->table[_].name  = string 12, not-null     in every element of the table: at most 12 characters
    list                = depth 5                 follow five pointers from here, instead of three
    handler             = functions on_open on_close, stub

The same text is used in tightrope.toml, after `--input`, in comments `/* tightrope: ... */` and in
TIGHTROPE_INPUT("..."). Paths: `inputs/input_paths.py`.

A wish may leave most fields open. Several wishes for one path are joined, field by field; see `Wishes`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tightrope.inputs.input_paths import Steps, any_number, bind, fill, read_path, steps_of, wildcards

MOST_ELEMENTS = 1 << 20
EXAMPLE = "array 8, not-null"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for at one path; a field that is None, False or () asks for nothing."""

    null: str | None = None  # 'null', 'not-null', 'nullable'
    kind: str | None = None  # 'one', 'array', 'string', 'bytes'
    count: int | None = None  # elements, characters without the terminator, or bytes
    is_terminated: bool = False  # one more element follows, which is zero or NULL
    length: str | None = None  # path of the integer that gives the number of elements
    into: str | None = None  # path of the pointer into whose object this one leads
    same_as: str | None = None  # path of the pointer that this one equals
    depth: int | None = None  # pointers that are followed from here
    functions: tuple[str, ...] = ()
    is_stub: bool = False  # a generated function whose answers are inputs
    enum: str | None = None  # 'any', 'members'
    member: str | None = None  # of a union: the member that is the input
    fresh: int | None = None  # of volatile data: how many reads get values of their own
    is_fixed: bool = False  # not an input: keeps its initial value
    is_input: bool = False  # an input that is not one by default: a static local

    def __bool__(self) -> bool:
        return self != NOTHING


NOTHING = Wish()
_TARGET = (
    "kind",
    "count",
    "is_terminated",
    "into",
    "same_as",
    "functions",
    "is_stub",
)  # where a pointer leads: one decision
_KINDS = ("one", "array", "string", "bytes")


def read_wish(text: str | int) -> Wish:
    """The wish in `array 8, not-null`; a bare number is that many elements, and 0 is NULL.

    Raises ValueError with a sentence for the user.
    """
    words = str(text).strip()
    if _is_number(words):
        return Wish(null="null") if int(words) == 0 else Wish(kind="array", count=_number("array", words, 1))
    if not words:
        raise ValueError(f"the wish is empty; write, for example, `{EXAMPLE}`")
    wish = NOTHING
    for part in words.split(","):
        wish = _add(wish, _read_part(part.split(), words), words)
    _check(wish, words)
    return wish


def read_wish_line(text: str) -> tuple[str, Wish]:
    """`PATH = WISH`."""
    path, equals, wish = text.partition("=")
    if not equals or not path.strip() or wish.startswith("="):
        raise ValueError(f"`{text.strip()}` is not PATH = WISH, such as `buffer = {EXAMPLE}`")
    read_path(path)
    try:
        return path.strip(), read_wish(wish)
    except ValueError as problem:
        raise ValueError(f"{problem} (in `{text.strip()}`)") from None


def read_wish_lines(text: str) -> tuple[tuple[str, Wish], ...]:
    """Several lines `PATH = WISH`, separated by semicolons."""
    parts = [part for part in text.split(";") if part.strip()]
    return tuple(read_wish_line(part) for part in parts or [text])


def show_wish(wish: Wish) -> str:
    """The inverse of `read_wish`."""
    shown = [
        wish.null or "",
        wish.kind + (f" {wish.count}" if wish.count is not None else "") if wish.kind else "",
        "terminated" if wish.is_terminated else "",
        f"length {wish.length}" if wish.length else "",
        f"into {wish.into}" if wish.into else "",
        f"same-as {wish.same_as}" if wish.same_as else "",
        f"depth {wish.depth}" if wish.depth is not None else "",
        f"functions {' '.join(wish.functions)}" if wish.functions else "",
        "stub" if wish.is_stub else "",
        wish.enum or "",
        f"member {wish.member}" if wish.member else "",
        f"fresh {wish.fresh}" if wish.fresh is not None else "",
        "fixed" if wish.is_fixed else "",
        "input" if wish.is_input else "",
    ]
    return ", ".join(part for part in shown if part)


# --- one part: a word and its arguments ------------------------------------------------------------


def _read_part(words: list[str], whole: str) -> dict[str, Any]:
    if not words:
        raise ValueError(f"there is nothing before or after a comma in `{whole}`")
    word, rest = words[0], words[1:]
    if word not in _WORDS:
        raise ValueError(f"unknown word `{word}`{_near(word)}")
    return _WORDS[word](word, rest)


def _plain(**given: Any) -> Callable[[str, list[str]], dict[str, Any]]:
    """A word without argument."""

    def read(word: str, rest: list[str]) -> dict[str, Any]:
        if rest:
            raise ValueError(f"`{word}` takes no argument; is a comma missing in `{' '.join([word, *rest])}`?")
        return given

    return read


def _counted(field: str, least: int, **given: Any) -> Callable[[str, list[str]], dict[str, Any]]:
    """A word with a number."""

    def read(word: str, rest: list[str]) -> dict[str, Any]:
        if len(rest) != 1:
            raise ValueError(f"`{' '.join([word, *rest])}` is not `{word} N`, such as `{word} 8`")
        return {**given, field: _number(word, rest[0], least)}

    return read


def _kind(least: int) -> Callable[[str, list[str]], dict[str, Any]]:
    """A word that may have a number."""

    def read(word: str, rest: list[str]) -> dict[str, Any]:
        return _counted("count", least, kind=word)(word, rest) if rest else {"kind": word}

    return read


def _place(field: str) -> Callable[[str, list[str]], dict[str, Any]]:
    """A word with a path."""

    def read(word: str, rest: list[str]) -> dict[str, Any]:
        path = " ".join(rest)
        if not path:
            raise ValueError(f"`{word}` needs the path of an input after it")
        read_path(path)
        return {field: path}

    return read


def _functions(word: str, rest: list[str]) -> dict[str, Any]:
    if not rest:
        raise ValueError("`functions` needs names after it, with spaces between them: `functions on_open on_close`")
    for name in rest:
        _check_name(word, name)
    return {"functions": tuple(dict.fromkeys(rest))}


def _member(word: str, rest: list[str]) -> dict[str, Any]:
    if len(rest) != 1:
        raise ValueError(f"`{' '.join([word, *rest])}` is not `member NAME`: one member of a union")
    _check_name(word, rest[0])
    return {"member": rest[0]}


def _check_name(word: str, name: str) -> None:
    if not re.fullmatch(r"[^\W\d][\w$]*", name):
        raise ValueError(f"`{name}` after `{word}` is not a C identifier")


_WORDS: dict[str, Callable[[str, list[str]], dict[str, Any]]] = {
    "null": _plain(null="null"),
    "not-null": _plain(null="not-null"),
    "nullable": _plain(null="nullable"),
    "one": _plain(kind="one"),
    "array": _kind(1),
    "string": _kind(0),
    "bytes": _kind(1),
    "terminated": _plain(is_terminated=True),
    "length": _place("length"),
    "into": _place("into"),
    "same-as": _place("same_as"),
    "depth": _counted("depth", 0),
    "functions": _functions,
    "stub": _plain(is_stub=True),
    "any": _plain(enum="any"),
    "members": _plain(enum="members"),
    "member": _member,
    "fresh": _counted("fresh", 1),
    "fixed": _plain(is_fixed=True),
    "input": _plain(is_input=True),
}
WORDS = tuple(_WORDS)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _number(word: str, text: str, least: int) -> int:
    if not _is_number(text):
        raise ValueError(f"`{text}` after `{word}` is not a whole number")
    if int(text) < least:
        raise ValueError(
            f"`{word} {text}` is too small: the least is {least}; write `null` for a pointer without an object"
        )
    if int(text) > MOST_ELEMENTS:
        raise ValueError(f"`{word} {text}` is too large: the most is {MOST_ELEMENTS}")
    return int(text)


def _near(word: str) -> str:
    near = difflib.get_close_matches(word.lower(), WORDS, n=1)
    return f", did you mean {near[0]}?" if near else f"; the words are {', '.join(WORDS)}"


# --- parts that belong together --------------------------------------------------------------------


def _add(wish: Wish, part: dict[str, Any], whole: str) -> Wish:
    for name in part:
        if name in _given(wish):
            raise ValueError(f"`{whole}` contains two words of which only one is possible: {_said(wish, name, part)}")
    return replace(wish, **part)


def _said(wish: Wish, name: str, part: dict[str, Any]) -> str:
    before = show_wish(Wish(**{name: getattr(wish, name)}))
    return f"`{before}` and `{show_wish(replace(NOTHING, **part))}`"


def _check(wish: Wish, whole: str) -> None:
    """Raise ValueError if parts of the wish contradict each other."""
    targets = [show_wish(Wish(**part)) for part in _targets(wish)]
    if len(targets) > 1:
        raise ValueError(f"`{whole}` gives one pointer two targets: `{targets[0]}` and `{targets[1]}`")
    if wish.null == "null" and wish != Wish(null="null"):
        raise ValueError(f"`{whole}` asks for NULL and for an object; do you mean `nullable`?")
    if wish.is_fixed and wish != Wish(is_fixed=True):
        raise ValueError(f"`{whole}`: `fixed` means that this is not an input, so no other word can stand beside it")
    if wish.is_terminated and wish.kind != "array":
        raise ValueError(f"`{whole}`: only an array can be `terminated`; write `array N, terminated`")
    if wish.kind == "one" and wish.length:
        raise ValueError(f"`{whole}`: a single object has no length; do you mean `array`?")


def _targets(wish: Wish) -> Iterator[dict[str, Any]]:
    if wish.kind:
        yield {"kind": wish.kind, "count": wish.count}
    if wish.into:
        yield {"into": wish.into}
    if wish.same_as:
        yield {"same_as": wish.same_as}
    if wish.functions or wish.is_stub:
        yield {"functions": wish.functions, "is_stub": wish.is_stub}


# --- all wishes of one function --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Growth:
    """How far sizes that nobody asked for have grown (inputs/growth.py)."""

    elements: Mapping[str, int] = field(default_factory=dict)  # by path with `[_]` for every index: inputs there
    depth: Mapping[str, int] = field(default_factory=dict)  # by path: from there on, of a parameter, global or stub
    answers: Mapping[str, int] = field(default_factory=dict)  # by path of a stub

    def __bool__(self) -> bool:
        return bool(self.elements or self.depth or self.answers)

    def with_size(self, kind: str, path: str, size: int) -> Growth:
        return replace(self, **{kind: {**getattr(self, kind), path: size}})

    def elements_of(self, path: str) -> int:
        """0 if the elements at this path have not grown."""
        return self.elements.get(any_number(path), 0) if self.elements else 0


NO_GROWTH = Growth()


@dataclass(frozen=True, slots=True)
class Wishes:
    """All wishes for the inputs of one function: wishes by path, and settings that hold for all paths.

    Of several rows for one path, the one with the fewest wildcards wins, then the latest; the others fill in what it
    leaves open. All rows win over those of `weaker`: the command line over the spec file, that one over the source.
    """

    rows: tuple[tuple[str, Wish], ...] = ()
    depth: int = 3  # pointers that are followed in linked structures
    string_length: int = 8  # characters, without the terminator
    array_length: int = 8  # elements, where nothing tells how many
    buffer_size: int = 8  # bytes behind a `void *`
    max_elements: int = 64  # inputs of one array: the other elements are zero
    enum: str = "members"  # or 'any'
    asked: frozenset[str] = frozenset()  # names of those of the above that somebody set
    growth: Growth = NO_GROWTH
    weaker: Wishes | None = None

    def depth_of(self, path: str) -> int:
        """How many pointers are followed from the root of this path."""
        if not self.growth.depth:
            return self.depth
        steps = steps_of(path) or (path,)
        above = (depth for at, depth in self.growth.depth.items() if _is_above(steps_of(at) or (at,), steps))
        return max(self.depth, *above, 0)

    def for_path(self, path: str) -> Wish:
        """The joined wishes for this path. Wildcards in paths inside a wish become the numbers of this path."""
        wish = self.weaker.for_path(path) if self.weaker else NOTHING
        for _, _, asked in sorted(self._asked(path), key=lambda row: row[:2]):
            wish = join(wish, asked)
        return wish

    def _asked(self, path: str) -> Iterator[tuple[int, int, Wish]]:
        """Wishes for the path, with keys that sort them from the weakest to the strongest."""
        for number, (pattern, wish) in enumerate(self.rows):
            numbers = bind(read_path(pattern), steps_of(path))
            if numbers is not None:
                yield -wildcards(pattern), number, _filled(wish, numbers)

    def below(self, rows: Iterable[tuple[str, Wish]]) -> Wishes:
        """Wishes with `rows` above these ones: what `rows` leave open is taken from here."""
        stronger = tuple(rows)
        return replace(self, rows=stronger, weaker=self if self.rows else None) if stronger else self


def _is_above(pattern: Steps, steps: Steps) -> bool:
    """Whether a path like the pattern leads to these steps."""
    return bind(pattern, steps[: len(pattern)]) is not None


def join(weaker: Wish, stronger: Wish) -> Wish:
    """The stronger wish, with open fields filled in from the weaker one.

    The fields of the target of a pointer belong together: `into buf` replaces `array 8`, and an object replaces NULL.
    """
    if stronger.null == "null" or stronger.is_fixed or weaker.is_fixed:
        return stronger or weaker
    if any(True for _ in _targets(stronger)):
        weaker = replace(weaker, **{name: getattr(NOTHING, name) for name in _TARGET})
    if weaker.null == "null" and stronger:
        weaker = NOTHING
    if stronger.kind == "one":
        weaker = replace(weaker, length=None)
    if stronger.length and weaker.kind == "one":
        weaker = replace(weaker, kind=None)
    return replace(weaker, **_given(stronger))


def _given(wish: Wish) -> dict[str, Any]:
    """The fields that ask for something; a number may be 0."""
    values = {one.name: getattr(wish, one.name) for one in fields(Wish)}
    return {name: value for name, value in values.items() if value is not None and value is not False and value != ()}


def _filled(wish: Wish, numbers: tuple[str, ...]) -> Wish:
    """`t[_].data = length t[_].size`: at `t[2].data`, the length is `t[2].size`."""
    length, into, same_as = (path and fill(path, numbers) for path in (wish.length, wish.into, wish.same_as))
    return replace(wish, length=length, into=into, same_as=same_as)
