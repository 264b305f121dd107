"""Values of an input as C text: initialisers that name only what is not zero.

{.level = 3, .table = {{.id = 1}, {.id = 2}}, .name = "ab", .next = &cfg_next}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tightrope.inputs.scalars import Input, c_literal, signed_value
from tightrope.inputs.shape import (
    NULL,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Functions,
    Leaf,
    NameObject,
    PointsInto,
    PointsTo,
    Shape,
    entered_object,
    function_of,
    is_address,
    split_target,
    target_of,
    walk_object,
)

_WIDTH = 110
_PLAIN = Leaf | PointsTo | PointsInto | FixedPointer | Functions  # what is written without braces
_STRING_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one input, with the C names of the objects behind its pointers."""

    input: Input
    name_object: NameObject
    late: frozenset[int] = frozenset()  # slots of pointers that are set later, and are NULL until then

    def leaf(self, leaf: Leaf) -> int:
        return 0 if leaf.slot is None else self.input[leaf.slot]

    def is_zero(self, shape: Shape) -> bool:
        """True when an object of zero bytes has this value."""
        nodes = (node for node, _ in walk_object(shape, "", self.name_object))
        return not any(self._is_set(node) for node in nodes)

    def _is_set(self, node: Shape) -> bool:
        match node:
            case Leaf():
                return self.leaf(node) != 0
            case PointsTo() | PointsInto() | Functions():
                return self.address(node) != NULL
            case FixedPointer():
                return bool(node.text)
        return False

    def initialiser(self, shape: Shape, place: str = "") -> str:
        """`place` is the existing object, for parts that keep their value; '' if there is none."""
        match shape:
            case Leaf():
                return c_literal(shape.scalar, self.leaf(shape))
            case PointsTo() | PointsInto() | Functions():
                return self.address(shape)
            case FixedPointer():
                return shape.text or ("NULL" if shape.is_null or not place else place)
            case Fixed():
                return place or "0"
            case Elements():
                return self.element_list(shape.elements, shape.length, place)
        members = ", ".join(f".{name} = {text}" for name, text in self._members(shape, place))
        return f"{{{members or '0'}}}"

    def address(self, pointer: PointsTo | PointsInto | Functions) -> str:
        """The target of the pointer in this input, as a C expression."""
        match pointer:
            case Functions():
                return function_of(pointer, self.input)
            case PointsInto():
                return self._inner_address(pointer)
        target = NULL if pointer.slot in self.late else target_of(pointer, self.input)
        if target == NULL or is_address(target):
            return NULL if target == NULL else f"(void *){target}"
        base, member = split_target(target)
        name = self.name_object(base)
        cast = "(void *)" if pointer.is_opaque or pointer.is_cast or base in pointer.variants else ""
        return f"{cast}{name}" if pointer.count > 1 and not member else f"{cast}&{name}{member}"

    def _inner_address(self, pointer: PointsInto) -> str:
        target = entered_object(pointer, self.input)
        if target == NULL or is_address(target):
            return NULL if target == NULL else f"(void *){target}"
        base, member = split_target(target)
        name, at = self.name_object(base), 0 if pointer.slot is None else self.input[pointer.slot]
        start = name if pointer.count > 1 and not member else f"&{name}{member}"
        return f"{start} + {at}" if at else start

    def _members(self, shape: Fields | Alternatives, place: str) -> Iterator[tuple[str, str]]:
        """Members of a nameless member are named as if they were its parent's."""
        below = shape.members if isinstance(shape, Fields) else ((shape.member, shape.shape),)
        for name, child in below:
            at = f"{place}.{name}" if place and name else place
            if not name and isinstance(child, Fields | Alternatives):
                yield from self._members(child, at)
            elif name and not (self.is_zero(child) and not (place and keeps_something(child))):
                yield name, self.initialiser(child, at)

    def element_list(self, elements: Sequence[Shape], length: int, place: str = "") -> str:
        text = self._string(elements, length)
        if text is not None:
            return text
        used = [i for i, one in enumerate(elements) if not self.is_zero(one) or (place and keeps_something(one))]
        if not used:
            return "{0}"
        texts = {i: self.initialiser(elements[i], f"{place}[{i}]" if place else "") for i in used}
        if 2 * len(used) < used[-1]:
            return "{" + ", ".join(f"[{i}] = {texts[i]}" for i in used) + "}"
        return "{" + ", ".join(texts.get(i) or self._zero(elements[i]) for i in range(used[-1] + 1)) + "}"

    def _zero(self, shape: Shape) -> str:
        """An element that is left out. Compilers warn about `{0}` for a struct that begins with an array."""
        named = [one for one in shape.members if one[0]] if isinstance(shape, Fields) else []
        if not named or isinstance(named[0][1], _PLAIN):
            return self.initialiser(shape)
        name, member = next((one for one in named if isinstance(one[1], _PLAIN)), named[0])
        return f"{{.{name} = {self._zero(member)}}}"

    def _string(self, elements: Sequence[Shape], length: int) -> str | None:
        """A terminated string, where all that is not zero is a printable character at the front."""
        leaves = [one for one in elements if isinstance(one, Leaf) and one.scalar.kind == "char"]
        if not leaves or len(leaves) != len(elements):
            return None
        return string_literal([signed_value(leaf.scalar, self.leaf(leaf)) for leaf in leaves], length)


def string_literal(numbers: Sequence[int], length: int) -> str | None:
    """The numbers of a char array as a string literal, if they are text and the terminator fits."""
    end = max((index + 1 for index, number in enumerate(numbers) if number), default=0)
    text = numbers[:end]
    if not end or end >= length or not all(32 <= number < 127 or number in _STRING_ESCAPES for number in text):
        return None
    return '"' + "".join(_STRING_ESCAPES.get(number, chr(number)) for number in text).replace("??", '?""?') + '"'


def keeps_something(shape: Shape) -> bool:
    """True when a part of the object is not an input and keeps the value that the unit gives it."""
    return any(
        isinstance(node, Fixed)
        or (isinstance(node, FixedPointer) and not node.is_null)
        or (isinstance(node, Leaf) and node.slot is None)
        or (isinstance(node, Elements) and len(node.elements) < node.length)
        for node, _ in walk_object(shape, "", str)
    )


def wrap(line: str, width: int = _WIDTH) -> Iterator[str]:
    """The line broken after commas outside of literals, continued with a deeper indent."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    while len(line) > width:
        breaks = [at for at in _commas(line) if len(indent) < at <= width]
        if not breaks:
            break
        yield line[: breaks[-1]].rstrip()
        line = indent + line[breaks[-1] :].lstrip()
    yield line


def _commas(line: str) -> Iterator[int]:
    """Positions after each comma that is not part of a literal."""
    quote, is_escaped = "", False
    for at, character in enumerate(line):
        if quote:
            if character == quote and not is_escaped:
                quote = ""
            is_escaped = character == "\\" and not is_escaped
        elif character in "\"'":
            quote = character
        elif character == ",":
            yield at + 1
