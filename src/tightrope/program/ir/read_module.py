"""Text of a module -> its functions, globals, types, and the lines that must be written back as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.location import Location
from tightrope.program.ir.lexer import (
    NAME,
    cut_attachments,
    cut_header_attachments,
    debug_number,
    find_close,
    split_commas,
)
from tightrope.program.ir.metadata import Metadata, read_metadata
from tightrope.program.ir.model import Block, Function, Global, Instruction, Parameter
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.program.ir.read_operand import read_argument, skip_attributes
from tightrope.program.ir.read_type import parse_type, read_type
from tightrope.program.ir.types import FunctionType, Type

Places = Mapping[tuple[str, str], tuple[Location, ...]]  # by function '@f' and block

_ZEROED = ", !annotation !"  # a local without a value is given a zero: nothing that the C says
_LABEL = re.compile(rf"({NAME}):(?:\s|$)")
_METADATA_OPERAND = re.compile(r"(?<=metadata )!\d+")
_TYPE_LINE = re.compile(rf"(%{NAME}) = type (.*)")
_GLOBAL_LINE = re.compile(rf"(@{NAME}) = ((?:[a-z_]+(?:\([^()]*\))? )*?)(global|constant) (.*)")
_SYMBOL = re.compile(rf" (@{NAME})\(")
_TARGET = re.compile(r'target (datalayout|triple) = "([^"]*)"')
_UNNAMED = re.compile(r"%\d+")


@dataclass(slots=True)
class ModuleReader:
    """What has been read of a module so far."""

    metadata: Metadata
    places: Places
    functions: dict[str, Function] = field(default_factory=dict)
    globals: dict[str, Global] = field(default_factory=dict)
    named_types: dict[str, Type] = field(default_factory=dict)
    target: dict[str, str] = field(default_factory=dict)
    prelude: list[str] = field(default_factory=list)

    def read(self, text: str) -> None:
        lines = iter(text.split("\n"))
        for line in lines:
            self._read_line(line, lines)

    def _read_line(self, line: str, following: Iterator[str]) -> None:
        """One line outside functions; a definition takes its body from the following lines."""
        if not line or line[0] in ";!^":
            return
        if line.startswith("define "):
            self._read_definition(line, following)
        else:
            self._read_prelude(line)

    def _read_prelude(self, line: str) -> None:
        if line[0] == "@":
            line, _ = cut_attachments(line)
            self._read_global(line)
        elif line.startswith("declare "):
            line, _ = cut_header_attachments(line)
            declared = _read_header(line)
            self.functions[declared.name] = declared
        elif line[0] == "%":
            self._read_named_type(line)
        elif found := _TARGET.match(line):
            self.target[found.group(1)] = found.group(2)
        self.prelude.append(line)

    def _read_named_type(self, line: str) -> None:
        found = _TYPE_LINE.fullmatch(line)
        if found and found.group(2) != "opaque":
            self.named_types[found.group(1)] = parse_type(found.group(2))

    def _read_global(self, line: str) -> None:
        """Aliases and ifuncs are kept as text only."""
        found = _GLOBAL_LINE.fullmatch(line)
        if found:
            name, words, kind, rest = found.groups()
            self.globals[name] = _build_global(name, words, kind, rest)

    def _read_definition(self, line: str, following: Iterator[str]) -> None:
        header, attachments = cut_header_attachments(line)
        shape = _read_header(header)
        blocks = self._read_blocks(shape, following)
        location = self.metadata.definition(debug_number(attachments))
        self.functions[shape.name] = Function(
            shape.name, shape.type, shape.parameters, blocks, header, location, shape.is_internal
        )

    def _read_blocks(self, shape: Function, following: Iterator[str]) -> tuple[Block, ...]:
        blocks = []
        for name, lines in _group_blocks(_entry_name(shape), following):
            instructions = tuple(map(self._read_instruction, lines))
            blocks.append(Block(name, instructions, self.places.get((shape.name, name), ())))
        return tuple(blocks)

    def _read_instruction(self, line: str) -> Instruction:
        text, attachments = cut_attachments(line)
        location = self.metadata.attached_place(attachments) if attachments else None
        if "metadata !" in text:
            text = self._write_out_operands(text)
        return read_instruction(text, location, self.named_types)

    def _write_out_operands(self, text: str) -> str:
        """Nodes are not kept, so that a call's own (`metadata !12`) must become part of its text."""
        return _METADATA_OPERAND.sub(lambda found: self.metadata.write_out(found.group()), text)


def _group_blocks(name: str, following: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
    """The blocks of a function's body: name and one text per instruction."""
    lines: list[str] = []
    for line in following:
        if line.startswith("  "):
            if _ZEROED not in line:
                _gather(lines, line)
        elif line.startswith("}"):
            break
        elif label := _LABEL.match(line):
            if lines:
                yield name, lines
            name, lines = label.group(1), []
    if lines:
        yield name, lines


def _gather(lines: list[str], line: str) -> None:
    """Add a line to the instructions of a block, or to the instruction that it continues."""
    if line.startswith(("    ", "  ]")):
        if not line.startswith("    #"):  # a debug record
            lines[-1] += "\n" + line
    else:
        lines.append(line[2:])


def _read_header(line: str) -> Function:
    """`define internal zeroext i1 @f(i32 noundef %x, ...) #0 {` or a `declare` line."""
    found = _SYMBOL.search(line)
    if not found:
        raise ValueError(f"a function without a name: {line}")
    opening = found.end() - 1
    words, _, after = line.partition(" ")
    start = skip_attributes(line, len(words) + 1)
    inner = line[opening + 1 : find_close(line, opening)]
    parts = split_commas(inner) if inner else []
    parameters = tuple(_read_parameter(part) for part in parts if part != "...")
    kind = FunctionType(
        read_type(line, start)[0], tuple(parameter.type for parameter in parameters), parts[-1:] == ["..."]
    )
    header = line if words == "define" else ""
    return Function(
        found.group(1), kind, parameters, (), header, is_internal=after.startswith(("internal ", "private "))
    )


def _read_parameter(text: str) -> Parameter:
    argument = read_argument(text)
    return Parameter(argument.value.text, argument.value.type, argument.byval, argument.sret)


def _entry_name(shape: Function) -> str:
    """What LLVM calls an entry block without a label: the number after those of the unnamed parameters."""
    return str(sum(bool(_UNNAMED.fullmatch(parameter.name)) for parameter in shape.parameters))


def _build_global(name: str, words: str, kind: str, rest: str) -> Global:
    """`internal thread_local unnamed_addr ` | constant | `[2 x i8] c"x\\00", align 1`."""
    first = split_commas(rest)[0]
    type_, end = read_type(first, 0)
    marks = words.split()
    return Global(
        name,
        type_,
        is_constant=kind == "constant",
        is_defined=not {"external", "extern_weak"} & set(marks),
        initializer=first[end:].strip(),
        is_internal=bool({"internal", "private"} & set(marks)),
        is_thread_local=words.startswith("thread_local") or " thread_local" in words,
    )


def read_places(text: str) -> Places:
    """For each function and block, every place of C that its instructions name, in their order."""
    metadata, places = read_metadata(text), {}
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("define "):
            shape = _read_header(cut_header_attachments(line)[0])
            for block, attached in _group_attachments(_entry_name(shape), lines):
                places[shape.name, block] = _distinct_places(metadata, attached)
    return places


def _group_attachments(name: str, following: Iterator[str]) -> Iterator[tuple[str, Iterable[str]]]:
    """The blocks of a function's body, each with the distinct `!dbg` attachments of its instructions."""
    attached: dict[str, None] = {}
    for line in following:
        if line.startswith("  "):
            at = line.rfind(", !dbg !")
            if at > 0 and _ZEROED not in line:
                attached[line[at:]] = None
        elif line.startswith("}"):
            break
        elif label := _LABEL.match(line):
            yield name, attached
            name, attached = label.group(1), {}
    yield name, attached


def _distinct_places(metadata: Metadata, attached: Iterable[str]) -> tuple[Location, ...]:
    found = map(metadata.attached_place, attached)
    return tuple(dict.fromkeys([place for place in found if place and place.line]))
