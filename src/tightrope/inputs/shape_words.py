"""A shape in words, for `tightrope inputs`: one row per node, and the wish that would ask for just this.

    cfg              const struct config *   one object, or NULL                "nullable, one"
      cfg->table     struct row[4]           4 elements
        cfg->table[_].name   char *          string of up to 8 characters       "not-null, string 8"

Elements of an array that are alike are one row; scalars behind a pointer or in an array need none of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tightrope.inputs.draws import DRAWS, drawn_inputs, is_drawn
from tightrope.inputs.input_paths import any_number, steps_of
from tightrope.inputs.shape import (
    ASKED_FOR_NULL,
    BYTE,
    NULL,
    Alternatives,
    Elements,
    Fields,
    Fixed,
    FixedPointer,
    Functions,
    InputShape,
    Leaf,
    PointsInto,
    PointsTo,
    Root,
    Shape,
    element_of,
    is_address,
    objects_of,
    split_target,
    walk,
)
from tightrope.inputs.stub_answers import function_type
from tightrope.inputs.whole_program import STDIN, STREAMS, is_provided, stdin_bytes
from tightrope.inputs.wishes import Wish, Wishes, show_wish
from tightrope.program.declarations.c_types import CPointer, CRecord, CTypes, CVoid
from tightrope.program.declarations.debug_info import UnspellableError, spell
from tightrope.program.declarations.stubs import RegisterAccess

MANY_NAMES = 6


@dataclass(frozen=True, slots=True)
class InputRow:
    depth: int  # in the tree
    path: str
    type: str  # in C
    what: str
    wish: str = ""  # that asks for just this; '' where nothing can be asked for


def describe_shape(ctypes: CTypes, shape: InputShape, wishes: Wishes) -> tuple[InputRow, ...]:
    """Every input, parents first."""
    words = _Words(ctypes, wishes, {one.object: one.path for one in objects_of(shape)})
    found: list[InputRow] = []
    plain = [root for root in shape.roots if not is_provided(root)]
    registers = {stub.path: stub.register for stub in shape.stubs if stub.register is not None}
    for stub, group in groupby(plain, key=lambda root: root.answers_of):
        roots = list(group)
        found += (
            words.answers(stub, roots, registers.get(stub))
            if stub
            else [row for root in roots for row in words.root(root)]
        )
    return (*found, *_written_registers(ctypes, shape), *_provided(shape))


def _written_registers(ctypes: CTypes, shape: InputShape) -> Iterator[InputRow]:
    """No inputs, but what tests observe there is worth a row."""
    for stub in shape.stubs:
        if stub.register is not None and stub.register.is_write:
            type_ = spell(ctypes, function_type(ctypes, stub).parameters[0])
            what = f"writes of the register {stub.register.words} are checked, in order"
            yield InputRow(0, stub.register_name, type_, what)


def _provided(shape: InputShape) -> Iterator[InputRow]:
    """What a whole program reads."""
    size = stdin_bytes(shape)
    if size:
        yield InputRow(0, STDIN, f"char[{size}]", f"standard input: up to {size} bytes", f"array {size}")
    names = [root.name for root in shape.roots if is_drawn(root)]
    if names:
        most = drawn_inputs(shape)
        yield InputRow(
            0, DRAWS, "", f"the {most} values that calls of {_some(names)} return, in one sequence", f"array {most}"
        )


@dataclass(frozen=True, slots=True)
class _Words:
    ctypes: CTypes
    wishes: Wishes
    owners: dict[str, str]  # name of an object -> path of its pointer

    def root(self, root: Root) -> Iterator[InputRow]:
        first, *rest = self.rows(root.shape, ())
        if root.is_argument and isinstance(root.shape, Leaf):
            first = replace(first, what="the number of arguments plus one")
        if root.is_hidden:
            yield replace(first, what=f"another target: {first.what}", wish="")
        else:
            yield replace(first, what=f"global: {first.what}") if root.is_global else first
        yield from rest

    def answers(self, stub: str, roots: Sequence[Root], register: RegisterAccess | None) -> Iterator[InputRow]:
        """Answers that are alike are one row; how often the stub was called is our own affair."""
        shown: dict[str, list[Root]] = {}
        for root in roots:
            if steps_of(root.shape.path):
                shown.setdefault(any_number(root.shape.path), []).append(root)
        for group in shown.values():
            each = [tuple(self.rows(root.shape, ())) for root in group]
            plain = [tuple(_for_every_answer(row) for row in rows) for rows in each]
            is_alike = len(each) > 1 and all(rows == plain[0] for rows in plain)
            number = len(each) if is_alike else 1
            for first, *rest in plain[:1] if is_alike else each:
                what = _what_is_read(register, first, number) if register else _what_is_answered(stub, first, number)
                yield replace(first, what=what)
                yield from rest

    def rows(self, node: Shape, above: tuple[Shape, ...]) -> Iterator[InputRow]:
        what, wish = self.what(node)
        is_asked = bool(self.wishes.for_path(node.path)) and "as asked" not in what
        levels = self.levels(node, above)
        said = [what, *["as asked"] * is_asked, *([f"and so on: {_count(levels, 'pointer')} deep"] if levels else [])]
        yield InputRow(len(above), node.path, self.type(node), "; ".join(said), show_wish(wish))
        if not levels:
            yield from self.below(node, (*above, node))

    def levels(self, node: Shape, above: tuple[Shape, ...]) -> int:
        """How often a linked structure repeats what was shown above; 0 when it must be shown."""
        if not isinstance(node, PointsTo) or not any(self.is_alike(node, one) for one in above):
            return 0
        inner = [each for each, _ in walk(node, "", str)]
        if any(self.wishes.for_path(each.path) for each in inner[1:]):
            return 0
        return max(each.path.count("->") - node.path.count("->") for each in inner if isinstance(each, PointsTo)) + 1

    def is_alike(self, node: PointsTo, above: Shape) -> bool:
        """Both lead to the same kind of record."""
        kind = self.ctypes.strip(node.target) if node.target != BYTE else None
        if not isinstance(kind, CRecord) or not isinstance(above, PointsTo) or above.target == BYTE:
            return False
        return node.count == above.count and self.ctypes.strip(above.target) == kind

    def below(self, node: Shape, above: tuple[Shape, ...]) -> Iterator[InputRow]:
        match node:
            case Fields():
                yield from self.members(node, above)
            case Alternatives():
                yield from self.rows(node.shape, above) if node.member else self.below(node.shape, above)
            case PointsTo(count=1) if isinstance(node.elements[0], Fields | Alternatives):
                yield from self.below(node.elements[0], above)
            case Elements() | PointsTo():
                yield from self.elements(node.elements, above)

    def members(self, record: Fields, above: tuple[Shape, ...]) -> Iterator[InputRow]:
        """Members that are no inputs for the same reason are one row."""
        nodes = [node for _, node in record.members]
        for reason, group in groupby(nodes, key=lambda node: node.reason if isinstance(node, Fixed) else None):
            alike = list(group)
            if reason is None or len(alike) == 1:
                yield from (row for node in alike for row in self.rows(node, above))
            else:
                names = f"{alike[0].path} ... {re.split(r'->|[.]', alike[-1].path)[-1]}"
                yield InputRow(len(above), names, f"{len(alike)} members", f"not inputs: {reason}")

    def elements(self, nodes: Sequence[Shape], above: tuple[Shape, ...]) -> Iterator[InputRow]:
        """Once for all that are alike, but for the index; then those that are not."""
        each = [tuple(self.rows(node, above)) for node in nodes]
        plain = [tuple(_for_every_index(row, nodes[at].path) for row in rows) for at, rows in enumerate(each)]
        usual = max(plain, key=lambda rows: (plain.count(rows), not _is_asked(rows))) if each else ()
        others = [each[at] for at, rows in enumerate(plain) if rows != usual]
        for node, rows in zip(nodes, [usual, *others], strict=False):
            if isinstance(node, Fields):
                yield from (replace(row, depth=row.depth - 1) for row in rows[1:])
            elif _is_worth_a_row(node) or others:
                yield from rows

    def type(self, node: Shape) -> str:
        if node.type == BYTE:
            return "unsigned char"
        bits = f" : {node.scalar.bits}" if isinstance(node, Leaf) and node.is_bit_field else ""
        try:
            return spell(self.ctypes, node.type) + bits
        except UnspellableError:
            kind = self.ctypes.strip(node.type)
            return f"{kind.kind} {{ ... }}" if isinstance(kind, CRecord) else "type without a name"

    def what(self, node: Shape) -> tuple[str, Wish]:
        """The node in words, and the wish that asks for it."""
        match node:
            case Leaf():
                return _leaf(node)
            case Fixed():
                return f"not an input: {node.reason}", Wish()
            case FixedPointer():
                return _fixed_pointer(node)
            case Fields():
                return _count(len(node.members), "member"), Wish()
            case Alternatives():
                return f"a union; its input is `{node.member or 'its first member'}`", Wish(member=node.member)
            case Elements():
                return _elements(node), Wish()
            case PointsTo():
                return self.pointer(node)
            case PointsInto():
                return self.inner_pointer(node)
            case Functions():
                return _functions(node)

    def pointer(self, node: PointsTo) -> tuple[str, Wish]:
        shown, wish = _object(node)
        shown = shown.replace("object", self.cast_to(node), 1)
        wish = replace(wish, length=node.length or None)
        others = [self.other(one) for one in node.others]
        shown += f", {_place(node.inside)}" if node.inside else ""
        length = f"; {node.length} tells how many" if node.length else ""
        null = "nullable" if NULL in node.others else "not-null"
        return ", or ".join([shown, *others]) + length, replace(wish, null=null)

    def owner(self, target: str) -> str:
        """The path of the pointer to an object, or the path of a member of it."""
        name, member = split_target(target)
        path = self.owners.get(name, name)
        if element_of(target) is not None:
            return f"&{path}{member}"
        return f"&{path}->{member[1:]}" if member else path

    def other(self, target: str) -> str:
        return target if target == NULL or is_address(target) else f"the same as {self.owner(target)}"

    def cast_to(self, node: PointsTo) -> str:
        """The type of what a `void *` leads to, where the code says so."""
        pointer = self.ctypes.strip(node.type)
        is_void = isinstance(pointer, CPointer) and isinstance(self.ctypes.strip(pointer.target), CVoid)
        if not is_void or node.target == BYTE:
            return "object"
        try:
            return spell(self.ctypes, node.target)
        except UnspellableError:
            return "object"

    def inner_pointer(self, node: PointsInto) -> tuple[str, Wish]:
        owner = self.owners.get(node.object, node.object)
        if node.slot is None:
            return f"the same as {owner}", Wish(same_as=owner)
        return f"points into what {owner} points to, or just past it", Wish(into=owner)


def _is_asked(rows: Sequence[InputRow]) -> bool:
    return any("as asked" in row.what for row in rows)


def _is_worth_a_row(element: Shape) -> bool:
    """A plain number is told by its type."""
    return not isinstance(element, Leaf) or element.scalar.kind == "enum"


def _for_every_index(row: InputRow, element: str) -> InputRow:
    """The row of one element as that of all: `t[3].name` -> `t[_].name`."""
    every = re.sub(r"\[\d+\]$", "[_]", element)
    return replace(row, path=row.path.replace(element, every), wish=row.wish.replace(element, every))


def _what_is_read(register: RegisterAccess, row: InputRow, count: int) -> str:
    place = f"the register {register.words}"
    if register.is_stable:
        return f"what {place} holds: {row.what}"
    which = f"the first {count} reads" if count > 1 else "the first read"
    return f"what {which} of {place} give{'' if count > 1 else 's'}: {row.what}"


def _what_is_answered(stub: str, row: InputRow, count: int) -> str:
    if row.path.endswith(".fails"):
        return f"whether each of the first {count} calls of {stub}() fails" if count > 1 else f"whether {stub}() fails"
    if argument := re.search(r"::argument_(\d+)#[^.]*(\.written$)?", row.path):
        calls = f"each of the first {count} calls of {stub}()" if count > 1 else f"{stub}()"
        is_choice = bool(argument[2])
        return f"whether {calls} writes that" if is_choice else f"{calls} writes to argument {argument[1]}: {row.what}"
    which = f"the first {count} answers" if count > 1 else "answer"
    return f"{which} of the stub {stub}(): {row.what}"


def _for_every_answer(row: InputRow) -> InputRow:
    return replace(row, path=re.sub(r"#\d+", "#_", row.path), wish=re.sub(r"#\d+", "#_", row.wish))


def _leaf(node: Leaf) -> tuple[str, Wish]:
    if node.slot is None:
        return "not an input: there are too many", Wish()
    if node.scalar.kind == "enum" and node.scalar.members:
        return f"one of {_some([name for name, _ in node.scalar.members])}", Wish(enum="members")
    if node.most is None:
        return "any value", Wish()
    return f"at most {node.most}" if node.is_limited else f"any value; at most {node.most} is tried first", Wish()


def _fixed_pointer(node: FixedPointer) -> tuple[str, Wish]:
    if not node.is_null:
        return f"not an input: {node.reason}", Wish()
    if node.reason == ASKED_FOR_NULL:
        return "NULL, as asked", Wish(null="null")
    return f"NULL: {node.reason}", Wish()


def _elements(node: Elements) -> str:
    given = len(node.elements)
    return _count(given, "element") if given == node.length else f"the first {given} of {node.length} elements"


def _object(node: PointsTo) -> tuple[str, Wish]:
    given = len(node.elements)
    if node.is_string:
        return f"string of up to {_count(given, 'character')}", Wish(kind="string", count=given)
    if node.target == BYTE:
        return f"buffer of {_count(node.count, 'byte')}", Wish(kind="bytes", count=node.count)
    if node.is_opaque:
        return "only an address: its type is incomplete", Wish()
    if node.count == 1:
        room = f" with room for {node.room} in {node.flexible}" if node.flexible else ""
        return f"one object{room}", Wish(kind="one")
    if given == node.count - 1:
        return f"array of {given}, then a zero or NULL", Wish(kind="array", count=given, is_terminated=True)
    rest = "" if given == node.count else f", of which the first {given} are inputs"
    return f"array of {node.count}{rest}", Wish(kind="array", count=node.count)


def _functions(node: Functions) -> tuple[str, Wish]:
    names = tuple(name for name in node.names if name != NULL and not name.startswith("tightrope_"))
    has_stub = any(name.startswith("tightrope_") for name in node.names)
    shown = [*([_some(names)] if names else []), *["a stub"] * has_stub, *["NULL"] * (NULL in node.names)]
    null = "nullable" if NULL in node.names else "not-null"
    is_stream = node.names[0] in STREAMS
    return ", or ".join(shown), Wish(null=null, functions=() if is_stream else names, is_stub=has_stub)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MANY_NAMES} more" if len(names) > MANY_NAMES else ""
    return ", ".join(names[:MANY_NAMES]) + more


def _place(inside: str) -> str:
    """Where in its object a pointer leads: to a member, or to what follows the first record."""
    return f"at its member {inside[1:]}" if inside.startswith(".") else "behind the first of them"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
