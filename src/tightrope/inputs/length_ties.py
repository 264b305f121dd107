"""Which integer gives the length of which pointer, and which pointer is the end of which, by names alone.

    int sum(const int *values, int count)            count is the number of values
    int parse(const char *p, const char *end)        end points into the object of p

C has no other way to express this, and programmers choose similar names. A tie is only a default: a wish can undo it
for an input, and it excludes only lengths that are larger than the array.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.inputs.hints import Hints
from tightrope.inputs.input_paths import sibling_path
from tightrope.inputs.length_names import (
    CONTEXTS,
    DATA,
    NEVER_SIZED,
    OTHER,
    LengthName,
    fit,
    read_length_name,
    split_name,
)
from tightrope.inputs.sizes import is_character
from tightrope.program.declarations.c_types import (
    CArray,
    CFunctionType,
    CPointer,
    CRecord,
    CScalar,
    CType,
    CTypes,
    TypeId,
)
from tightrope.program.pointers.pointer_use import Holder


@dataclass(frozen=True, slots=True)
class Sibling:
    """A parameter among parameters, or a member among members, in the order of the C."""

    name: str
    kind: str  # 'pointer', 'integer' or 'other'; a pointer to a function is 'other'
    target: int | None = None  # what a pointer points to: any number that is the same for the same type
    is_character: bool = False  # it points to characters
    pointee_target: int | None = None  # what that points to, for a pointer to a pointer
    is_record: bool = False  # it points to a structure or union
    is_indexed: bool | None = None  # the code uses it as an array; None: nobody has looked


@dataclass(frozen=True, slots=True)
class Tie:
    pointer: str  # 'p', or '*p' where p points to the pointer that has the length
    length: str
    also: tuple[str, ...] = ()  # further integers that are at most the length: `capacity` beside `count`


@dataclass(frozen=True, slots=True)
class End:
    pointer: str
    start: str  # 'p', or '*p' where p points to the pointer that moves


@dataclass(frozen=True, slots=True)
class _Length:
    at: int
    name: str
    says: LengthName


_Chosen = dict[int, list[_Length]]  # position of a pointer -> its lengths, the best first


def find_ties(siblings: Sequence[Sibling], are_members: bool = False) -> tuple[Tie, ...]:
    """The pointers whose length is given by a sibling, in the order of the pointers."""
    lengths = _lengths(siblings)
    ends = {end.pointer for end in find_ends(siblings)}
    pointers = [at for at, one in enumerate(siblings) if one.name not in ends and _may_have_length(one)]
    chosen: _Chosen = {}
    left = [length for length in lengths if not _tie_by_name(siblings, pointers, length, chosen)]
    for length in _without_sizes_of_elements(left):
        if not length.says.least_fit:
            free = [at for at in pointers if at not in chosen and _is_data(siblings[at])]
            found = _nearest(free, length) if are_members else _near(siblings, free, length)
            chosen |= {at: [length] for at in found}
    return tuple(_tie(siblings[at], chosen[at]) for at in sorted(chosen))


def _lengths(siblings: Sequence[Sibling]) -> list[_Length]:
    has_least = any(split_name(one.name)[:1] in (("min",), ("minimum",)) for one in siblings)  # `min, max` is a range
    return [
        _Length(at, one.name, says)
        for at, one in enumerate(siblings)
        if one.kind == "integer" and (says := read_length_name(one.name)) and not (has_least and one.name == "max")
    ]


def _tie(pointer: Sibling, lengths: list[_Length]) -> Tie:
    best = next((one for one in lengths if one.says.counts), lengths[0])
    name = f"*{pointer.name}" if _is_cursor(pointer) else pointer.name
    return Tie(name, best.name, tuple(one.name for one in lengths if one is not best))


def _is_cursor(one: Sibling) -> bool:
    """`unsigned char **buf` moves through a buffer; `char **argv` is an array."""
    words = split_name(one.name)
    return one.pointee_target is not None and bool(words) and words[-1] in _CURSORS and not one.is_indexed


_CURSORS = frozenset(
    "p s buf buffer data in input src str ptr cur pos cursor string text from pp bufp strp inp".split()
)


def _may_have_length(one: Sibling) -> bool:
    words = split_name(one.name)
    if one.kind != "pointer" or not words or words[-1] in NEVER_SIZED or (one.is_record and one.is_indexed is False):
        return False
    name = one.name.removesuffix("p") if len(words) == 1 else "_".join(words[words[0] == "p" :])
    says = None if one.is_character or one.is_record else read_length_name(name)
    return says is None or says.least_fit > 0 or one.name.endswith("s")  # `size_t *olen` receives a length


# by name


def _tie_by_name(siblings: Sequence[Sibling], pointers: list[int], length: _Length, chosen: _Chosen) -> bool:
    """Tie a length to the pointer that fits its name best, to the nearest if several do."""
    ranked = [(fit(length.says.about, siblings[at].name), -_distance(at, length.at), at) for at in pointers]
    level, _, at = max(ranked, default=(0, 0, 0))
    if level < max(1, length.says.least_fit):
        return False
    chosen.setdefault(at, []).append(length)
    return True


def _distance(pointer: int, length: int) -> int:
    """The distance in the declaration; shorter if the length follows the pointer, because most do."""
    return 2 * (length - pointer) if pointer < length else 2 * (pointer - length) + 1


# by place


def _without_sizes_of_elements(lengths: list[_Length]) -> list[_Length]:
    """In `qsort(base, nmemb, size, ...)` and `fread(p, size, n, ...)` the size is that of an element."""
    positions = {length.at for length in lengths if length.says.counts and not length.says.about}
    return [
        length
        for length in lengths
        if length.says.counts or length.says.about or not {length.at - 1, length.at + 1} & positions
    ]


def _is_data(one: Sibling) -> bool:
    """Whether a length may belong to it by place alone: not a context, a file or a single result (`int *error`)."""
    words = split_name(one.name)
    if not words or words[-1] in CONTEXTS or (not one.is_character and words[-1] in OTHER - {"x", "y", "z", "base"}):
        return False
    return bool(one.is_indexed) if one.is_record else one.is_character or one.is_indexed is not False


def _near(siblings: Sequence[Sibling], free: list[int], length: _Length) -> list[int]:
    """A length belongs to the pointers before it (`memcmp(a, b, n)`), else to those after it (`f(n, a, b)`)."""
    if length.says.about in DATA:
        named = [at for at in free if set(split_name(siblings[at].name)) & DATA]
        if named:
            return named
    before = _run(siblings, free, length.at, -1)
    if before:
        return before
    is_after_pointer = length.at > 0 and siblings[length.at - 1].kind == "pointer"
    after = _run(siblings, free, length.at, 1)
    if after and not is_after_pointer:
        return after
    return [at for at in free if at > length.at and _is_named_data(siblings[at])]  # crypt(ctx, length, iv, input)


def _is_named_data(one: Sibling) -> bool:
    return any(len(word) > 1 and word in DATA for word in split_name(one.name))


def _run(siblings: Sequence[Sibling], free: list[int], start: int, step: int) -> list[int]:
    """The free pointers in a row, up to two other arguments away: `memset(s, c, n)`. They share one type; where some
    have names for data, only those."""
    at = start + step
    for _ in range(2):
        if 0 <= at < len(siblings) and at not in free and not _counts(siblings[at]):
            at += step
    found: list[int] = []
    while at in free and siblings[at].target == siblings[found[0] if found else at].target:
        found.append(at)
        at += step
    named = [one for one in found if set(split_name(siblings[one].name)) & DATA]
    return named or found


def _counts(one: Sibling) -> bool:
    says = read_length_name(one.name) if one.kind == "integer" else None
    return says is not None and (says.counts or bool(says.about))


def _nearest(free: list[int], length: _Length) -> list[int]:
    """Among members, only a direct neighbour, and only if the name tells nothing: records contain much else."""
    return [at for at in (length.at - 1, length.at + 1) if at in free and not length.says.about][:1]


# ends

_END_WORDS = frozenset("end limit last stop e endp eos ep pend stopp lim finish eob endptr high hi".split())
_START_WORDS = frozenset(
    "start begin p s cur pos ptr first beg b buf data str src in input text from q begp startp pp sp cursor cp low lo"
    " buffer string current base".split()
)

_STEM = re.compile(r"(?:endptr|endp|end|limit|last|stop)$")


def find_ends(siblings: Sequence[Sibling]) -> tuple[End, ...]:
    """The pointers that lead to where the object of another one ends."""
    found = []
    for at, one in enumerate(siblings):
        if one.kind == "pointer" and _may_be_end(one):
            start = _start_of(siblings, at)
            if start:
                found.append(End(one.name, start))
    return tuple(found)


def _may_be_end(one: Sibling) -> bool:
    """Not `char **ep`, which receives a result; not a node of a list, whose last node is another object."""
    words = split_name(one.name)
    if not words or one.target is None or one.pointee_target is not None:
        return False
    if (one.is_record and not one.is_indexed) or (words[-1] == "ep" and not one.is_character):
        return False
    return words[-1] in _END_WORDS or (words[-1].endswith("end") and len(words[-1]) > 3)


def _start_of(siblings: Sequence[Sibling], at: int) -> str:
    """The start that fits best: with the same stem, else the nearest one whose name is common for starts."""
    end, best, rank = siblings[at], "", (0, 0)
    least = 1 if split_name(end.name)[-1] in _END_WORDS else 3  # `bufend` is one beside `buf`, `backend` is none
    for place, one in enumerate(siblings):
        name = _start_name(one, end) if place != at and one.kind == "pointer" else ""
        if name and not _may_be_end(one):
            fitness = (_partnership(one.name, end.name), -_distance(place, at))
            if fitness[0] >= least and (not best or fitness > rank):
                best, rank = name, fitness
    return best


def _start_name(one: Sibling, end: Sibling) -> str:
    if one.target == end.target:
        return one.name
    return f"*{one.name}" if one.pointee_target == end.target else ""


def _partnership(start: str, end: str) -> int:
    """3: `buf` and `buf_end`; 2: `read_ptr` and `read_end`; 1: `s` and `end`."""
    first, last = split_name(start), split_name(end)
    stem = _STEM.sub("", "".join(last))
    if stem and stem == "".join(first):
        return 3
    if len(last) > 1 and first[:-1] == last[:-1] and first[-1] in _START_WORDS:
        return 2
    return int(first[-1] in _START_WORDS or first[0] in _START_WORDS)


# from declarations to paths of inputs


@dataclass(frozen=True, slots=True)
class TiedPaths:
    """What the siblings of a pointer tell about it, as paths of inputs."""

    lengths: tuple[str, ...] = ()  # paths of integers that give the number of elements, or the capacity
    start: str = ""  # path of the pointer into whose object this one leads
    is_below: bool = False  # the lengths are those of the pointer that this one points to

    @property
    def length(self) -> str:
        return self.lengths[0] if self.lengths and not self.is_below else ""


NOT_TIED = TiedPaths()


@dataclass(slots=True)
class PlainTypes:
    """Types without qualifiers and typedefs, by a number that is the same for the same type."""

    ctypes: CTypes
    _keys: dict[CType, int] = field(default_factory=dict)

    def key(self, number: TypeId) -> int:
        if not self._keys:
            for each, kind in self.ctypes.types.items():
                self._keys.setdefault(kind, each)
        return self._keys[self.ctypes.strip(number)]


_last_types: list[PlainTypes] = []


def plain_types(ctypes: CTypes) -> PlainTypes:
    """Those of the program that was asked for last are kept: builders of shapes come and go, and to number the types
    takes longer than what most of them do."""
    if not _last_types or _last_types[0].ctypes is not ctypes:
        _last_types[:] = [PlainTypes(ctypes)]
    return _last_types[0]


def find_tied_paths(
    types: PlainTypes,
    hints: Hints,
    siblings: Sequence[tuple[str, TypeId, Holder]],
    path: str,
    are_members: bool = False,
) -> dict[str, TiedPaths]:
    """By name of the pointer; `path` is that of the record whose members they are."""
    known = [_sibling(types, hints, *one) for one in siblings if one[0]]
    found: dict[str, TiedPaths] = {}
    for tie in find_ties(known, are_members):
        lengths = tuple(sibling_path(path, name) for name in (tie.length, *tie.also))
        found[tie.pointer.lstrip("*")] = TiedPaths(lengths, is_below=tie.pointer.startswith("*"))
    holders = {name: holder for name, _, holder in siblings}
    for end in find_ends(known):
        if not _is_no_end(hints, end.pointer, holders[end.pointer]):
            is_below = end.start.startswith("*")
            start = f"*{sibling_path(path, end.start[1:])}" if is_below else sibling_path(path, end.start)
            found[end.pointer] = TiedPaths(start=start)
    return found


def _is_no_end(hints: Hints, name: str, holder: Holder) -> bool:
    """`int *low, *high` may be two numbers: code that dereferences `high` does not use it as an end."""
    use = hints.use(holder)
    return not re.search("end|stop|eo[sb]", name.lower()) and (use.is_read or use.is_written)


def _sibling(types: PlainTypes, hints: Hints, name: str, number: TypeId, holder: Holder) -> Sibling:
    kind = types.ctypes.strip(number)
    is_open_array = isinstance(kind, CArray) and kind.count is None
    if isinstance(kind, CPointer):
        target = kind.target
    elif isinstance(kind, CArray) and is_open_array:
        target = kind.element
    else:
        is_integer = isinstance(kind, CScalar) and kind.kind in ("signed", "unsigned")
        return Sibling(name, "integer" if is_integer else "other")
    inner, use = types.ctypes.strip(target), hints.use(holder)
    if isinstance(inner, CFunctionType):
        return Sibling(name, "other")
    pointee = types.key(inner.target) if isinstance(inner, CPointer) else None
    is_indexed = use.is_indexed or use.least_count > 1 or is_open_array or (None if not use.is_known else False)
    is_record = isinstance(inner, CRecord)
    key = types.key(target)
    return Sibling(name, "pointer", key, is_character(types.ctypes, target), pointee, is_record, is_indexed)
