"""Inline assembly of another processor: each instruction of it becomes a call of a function without a body.

    %p = call i32 asm sideeffect "mrs $0, primask\\0Acpsid i", "=r,~{memory}"()
    ->
    %p = call i32 @assembly__mrs_primask()
    call void @assembly__cpsid_i()

Such a function gets a stub like any other: what the instruction writes to a register is an input, and the registers and
constants that it reads are arguments. Where it may write to memory that is not named so, an empty statement of assembly
stays: what follows is then known to be inexact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tightrope.program.ir.lexer import cut_attachments, debug_number, find_close, split_commas, unescape

PREFIX = "assembly__"

_CALL = re.compile(
    r"""^(?P<indent>\s*)(?:(?P<result>%\S+)\ =\ )?(?:(?:tail|musttail|notail)\ )?call\ (?P<type>[^"]*?)\ ?
        asm\ (?P<flags>(?:[a-z]+\ )*)"(?P<template>[^"]*)",\ "(?P<constraints>[^"]*)"\(""",
    re.VERBOSE,
)
_MODULE = re.compile(r"^module asm .*\n", re.MULTILINE)
_REGISTER = re.compile(r"[=&+%\d]*(?:[rlqQabcdSDhw]|\d+|\{\w+\})")
_CONSTANT = re.compile(r"[inIJKLMN]")
_OPERAND = re.compile(r"\$(?:(\d+)|\{(\d+)(?::\w+)?\})")
_LABEL = re.compile(r"^[\w.$]+:\s*")


@dataclass(frozen=True, slots=True)
class AssemblyResult:
    """A register that an instruction writes."""

    name: str  # of the function that gives its value
    position: int  # among the operands of the instruction
    bits: int  # 32 or 64


@dataclass(frozen=True, slots=True)
class AssemblyArgument:
    """A register or constant that an instruction reads."""

    position: int  # among the operands
    type: str  # 'i32', 'i64' or 'ptr'
    is_constant: bool = False


@dataclass(frozen=True, slots=True)
class AssemblyInstruction:
    """An instruction that this processor does not have, as functions: one for each result, or one without a result."""

    name: str  # 'assembly__mrs_primask'
    mnemonic: str  # 'mrs'
    operands: tuple[str, ...]  # as written; '$0' is filled in by the compiler
    results: tuple[AssemblyResult, ...] = ()
    arguments: tuple[AssemblyArgument, ...] = ()

    @property
    def functions(self) -> tuple[tuple[str, int], ...]:
        """Names, and bits of the results; 0: none."""
        return tuple((one.name, one.bits) for one in self.results) or ((self.name, 0),)


@dataclass(frozen=True, slots=True)
class AssemblyStatement:
    """The text of an `asm` statement with its constraints."""

    template: str  # as the IR has it
    constraints: str
    sample: str  # a call of it, without its result and metadata


@dataclass(frozen=True, slots=True)
class ForeignAssembly:
    """The assembly of a file that this processor does not know."""

    statements: frozenset[tuple[str, str]] = frozenset()  # template and constraints
    instructions: tuple[AssemblyInstruction, ...] = ()
    has_foreign_module: bool = False  # so is the assembly outside of functions
    known_mnemonics: tuple[str, ...] = ()  # used in these statements, and by this processor with another meaning

    @property
    def can_be_called(self) -> bool:
        """True if an assembler can take macros for the instructions: their names are free."""
        return not self.known_mnemonics and not self.has_foreign_module

    def __bool__(self) -> bool:
        return bool(self.statements or self.has_foreign_module)


NO_ASSEMBLY = ForeignAssembly()


def find_statements(text: str) -> tuple[AssemblyStatement, ...]:
    """The assembly in the functions of a module's text, each statement once."""
    found: dict[tuple[str, str], AssemblyStatement] = {}
    for line in text.splitlines() if " asm " in text else ():
        match = _CALL.match(line)
        if match:
            opening = match.end() - 1
            arguments = [_sample(each) for each in _arguments(line[opening + 1 : find_close(line, opening)])]
            words = f'"{match["template"]}", "{match["constraints"]}"({", ".join(arguments)})'
            sample = f"call {match['type']} asm {match['flags']}{words}"
            key = (match["template"], match["constraints"])
            found.setdefault(key, AssemblyStatement(*key, sample))
    return tuple(found.values())


def module_assembly(text: str) -> tuple[str, ...]:
    """The lines of a module's text with assembly outside of functions."""
    return tuple(_MODULE.findall(text))


def write_trial(text: str, statements: Sequence[AssemblyStatement]) -> str:
    """A module that holds these statements alone. Each line of assembly ends in its statement's number, so that the
    messages of an assembler tell which it does not know: `cpsid i /*tightrope 3*/`."""
    types = [line for line in text.splitlines() if line.startswith("%") and " = type " in line]
    functions = []
    for number, each in enumerate(statements):
        marked = "\\0A".join(f"{line} /*tightrope {number}*/" for line in each.template.split("\\0A"))
        call = each.sample.replace(f'"{each.template}"', f'"{marked}"', 1)
        # Without it, code that nobody needs never comes to the assembler.
        call = re.sub(r"\basm (?!sideeffect)", "asm sideeffect ", call, count=1)
        functions.append(f"define void @trial_{number}() {{\n  {call}\n  ret void\n}}")
    return "\n".join([*types, *functions]) + "\n"


def read_instructions(statements: Sequence[AssemblyStatement]) -> tuple[AssemblyInstruction, ...]:
    """The instructions of these statements as functions, each once."""
    found: dict[str, AssemblyInstruction] = {}
    for statement in statements:
        for one in _Statement.read(statement.sample).instructions():
            known = found.get(one.name)
            found[one.name] = _joined(known, one) if known else one
    return tuple(found.values())


def replace_assembly(text: str, foreign: ForeignAssembly) -> str:
    """The text of a module in which calls stand for these statements."""
    if not foreign:
        return text
    text = _MODULE.sub("", text) if foreign.has_foreign_module else text
    instructions = {each.name: each for each in foreign.instructions}
    lines: list[str] = []
    used = False
    for number, line in enumerate(text.splitlines()):
        match = _CALL.match(line) if " asm " in line else None
        if match and (match["template"], match["constraints"]) in foreign.statements:
            lines += _Statement.read(line).calls(instructions, f"assembly.{number}")
            used = True
        else:
            lines.append(line)
    return "\n".join([*lines, *(_declarations(text, foreign.instructions) if used else ())]) + "\n"


def _declarations(text: str, instructions: Collection[AssemblyInstruction]) -> Iterator[str]:
    for each in instructions:
        types = ", ".join(one.type for one in each.arguments)
        for name, bits in each.functions:
            if not re.search(rf"^(?:declare|define) .*@{name}\(", text, re.MULTILINE):
                yield f"declare {f'i{bits}' if bits else 'void'} @{name}({types})"


# -- one statement


@dataclass(frozen=True, slots=True)
class _Operand:
    """An operand of a statement: `$0`, `$1` ..."""

    constraint: str
    type: str  # of its value; of an indirect output, of what is stored
    value: str = ""  # of an input, or the address of an indirect output
    is_output: bool = False

    @property
    def is_indirect(self) -> bool:
        return "*" in self.constraint


@dataclass(frozen=True, slots=True)
class _Statement:
    result: str
    type: str
    lines: tuple[tuple[str, ...], ...]  # mnemonic and operands
    operands: tuple[_Operand, ...]
    clobbers_memory: bool
    ending: str  # `, !dbg !7`

    @classmethod
    def read(cls, line: str) -> _Statement:
        match = _CALL.match(line)
        assert match is not None
        opening = match.end() - 1
        values = iter(_arguments(line[opening + 1 : find_close(line, opening)]))
        words = match["type"].split("{", 1)
        kind = "{" + words[1] if len(words) > 1 else words[0].split()[-1]
        kinds = iter(split_commas(kind.strip("{} ")) if kind.startswith("{") else [kind])
        operands = []
        for constraint in _constraints(match["constraints"]):
            if constraint.startswith(("~", "!")):
                continue
            if constraint.startswith("=") and "*" not in constraint:
                operands.append(_Operand(constraint, next(kinds), is_output=True))
            else:
                type_, element, value = _split_argument(next(values))
                operands.append(_Operand(constraint, element or type_, value, is_output=constraint.startswith("=")))
        number = debug_number(cut_attachments(line)[1])
        return cls(
            result=match["result"] or "",
            type=kind,
            lines=tuple(_read_lines(match["template"])),
            operands=tuple(operands),
            clobbers_memory="~{memory}" in match["constraints"],
            ending="" if number is None else f", !dbg !{number}",
        )

    def instructions(self) -> Iterator[AssemblyInstruction]:
        return (one for one, _, _ in self._attributed())

    def _attributed(self) -> Iterator[tuple[AssemblyInstruction, list[int], list[int]]]:
        """Each instruction, with the operands of the statement that are its results and its arguments. A register that
        several instructions could write is the result of the last of them; if none names it, of the last one."""
        outputs = [n for n, one in enumerate(self.operands) if one.is_output]
        writers = {n: self._writer(n) for n in outputs}
        for at, (mnemonic, *operands) in enumerate(self.lines):
            name = PREFIX + "_".join(_words([mnemonic, *operands]))
            places = [_place(text) for text in operands]
            written = [n for n in outputs if writers[n] == at]
            results = tuple(
                AssemblyResult(
                    name if index == 0 else f"{name}_{index + 1}",
                    places.index(n) if n in places else -1,
                    64 if self.operands[n].type in ("i64", "ptr", "double") else 32,
                )
                for index, n in enumerate(written)
            )
            read = [(p, n) for p, n in enumerate(places) if n is not None and self._is_passed(n)]
            arguments = tuple(
                AssemblyArgument(
                    p, _passed_type(self.operands[n].type), bool(_CONSTANT.fullmatch(self.operands[n].constraint))
                )
                for p, n in read
            )
            yield (
                AssemblyInstruction(name, mnemonic, tuple(operands), results, arguments),
                written,
                [n for _, n in read],
            )

    def _writer(self, number: int) -> int:
        named = [at for at, (_, *operands) in enumerate(self.lines) if number in map(_place, operands)]
        first = [at for at in named if _place(self.lines[at][1]) == number]
        return (first or named or [len(self.lines) - 1])[-1]

    def _is_passed(self, number: int) -> bool:
        if number >= len(self.operands):
            return False
        one = self.operands[number]
        is_simple = bool(_REGISTER.fullmatch(one.constraint) or _CONSTANT.fullmatch(one.constraint))
        return not one.is_output and is_simple and bool(re.fullmatch(r"i\d+|ptr", one.type))

    def calls(self, known: dict[str, AssemblyInstruction], prefix: str) -> Iterator[str]:
        """The calls in place of the statement."""
        values: dict[int, str] = {}
        handed: set[int] = set()
        for at, (one, written, read) in enumerate(self._attributed()):
            instruction = known.get(one.name, one)
            arguments = []
            for index, (argument, n) in enumerate(zip(instruction.arguments, read, strict=False)):
                handed.add(n)
                operand = self.operands[n]
                text, lines = _converted(operand.value, operand.type, argument.type, f"%{prefix}.{at}.{index}")
                yield from (f"  {line}{self.ending}" for line in lines)
                arguments.append(f"{argument.type} {text}")
            listed = ", ".join(arguments)
            for index, (name, bits) in enumerate(instruction.functions):
                target = f"%{prefix}.{at}.result{index} = " if bits else ""
                yield f"  {target}call {f'i{bits}' if bits else 'void'} @{name}({listed}){self.ending}"
                if bits and index < len(written):
                    kind = self.operands[written[index]].type
                    text, lines = _converted(target[: -len(" = ")], f"i{bits}", kind, f"{target[: -len(' = ')]}.as")
                    yield from (f"  {line}{self.ending}" for line in lines)
                    values[written[index]] = text
        yield from self._hand_over(handed)
        yield from self._deliver(values, prefix)

    def _hand_over(self, handed: Collection[int]) -> Iterator[str]:
        """Pointers through which it may write, and which no call gets."""
        for n, one in enumerate(self.operands):
            if one.type == "ptr" and not one.is_output and self.clobbers_memory and n not in handed:
                yield f'  call void asm sideeffect "", "r,~{{memory}}"(ptr {one.value}){self.ending}'

    def _deliver(self, values: dict[int, str], prefix: str) -> Iterator[str]:
        """Store what goes to memory, and name the result as the statement did."""
        direct = []
        for n, one in enumerate(self.operands):
            if one.is_output and one.is_indirect:
                yield f"  store {one.type} {values.get(n, 'zeroinitializer')}, ptr {one.value}{self.ending}"
            elif one.is_output:
                direct.append((one.type, values.get(n, "zeroinitializer")))
        if not self.result:
            return
        if self.type.startswith("{"):
            built = "poison"
            for index, (kind, value) in enumerate(direct):
                name = self.result if index == len(direct) - 1 else f"%{prefix}.part{index}"
                yield f"  {name} = insertvalue {self.type} {built}, {kind} {value}, {index}{self.ending}"
                built = name
        else:
            yield f"  {self.result} = freeze {self.type} {direct[0][1]}{self.ending}"


def _joined(one: AssemblyInstruction, other: AssemblyInstruction) -> AssemblyInstruction:
    """For uses with values of different sizes: the larger ones."""
    if len(one.results) != len(other.results) or len(one.arguments) != len(other.arguments):
        return one
    results = tuple(replace(a, bits=max(a.bits, b.bits)) for a, b in zip(one.results, other.results, strict=True))
    arguments = tuple(
        a if a.type == b.type else replace(a, type="i64") for a, b in zip(one.arguments, other.arguments, strict=True)
    )
    return replace(one, results=results, arguments=arguments)


def _constraints(text: str) -> list[str]:
    return re.findall(r"(?:\{[^}]*\}|[^,])+", text)


def _arguments(text: str) -> list[str]:
    return split_commas(text) if text else []


def _split_argument(text: str) -> tuple[str, str, str]:
    """`ptr elementtype(i32) %x`: the type, the type of what is there, and the value."""
    element = re.search(r"elementtype\(([^()]*)\)", text)
    plain = re.sub(r"\b(?:noundef|nonnull|elementtype\([^()]*\)|align \d+)\s*", "", text)
    kind, _, value = plain.partition(" ")
    return kind, element[1] if element else "", value.strip()


def _sample(argument: str) -> str:
    """The argument with a constant in place of a value of the function."""
    kind, element, value = _split_argument(argument)
    shown = f"{kind} elementtype({element})" if element else kind
    return f"{shown} {value if value[:1] in '-0123456789' else 'zeroinitializer'}"


def _read_lines(template: str) -> Iterator[tuple[str, ...]]:
    """The instructions of a template, as assemblers for x86 cut them: `#` starts a comment there."""
    text = unescape(template).replace("$(", "").replace("$)", "").replace("$$", "$")
    for line in re.split(r"[\n;]", text):
        bare = re.sub(r"/\*.*?\*/|(?:#|//|@).*", "", line).strip()
        bare = _LABEL.sub("", bare).strip()
        if bare:
            mnemonic, _, rest = bare.partition(" ")
            yield mnemonic.strip(), *(part for part in re.split(r"[,\s]+", rest.strip()) if part)


def _place(operand: str) -> int | None:
    """The 1 of `$1`."""
    match = _OPERAND.fullmatch(operand)
    return int(match[1] or match[2]) if match else None


def _words(parts: Sequence[str]) -> Iterator[str]:
    for part in parts:
        bare = re.sub(r"\W+", "_", _OPERAND.sub("", part)).strip("_")
        if bare:
            yield bare


def _passed_type(kind: str) -> str:
    return "ptr" if kind == "ptr" else "i64" if kind == "i64" else "i32"


def _converted(value: str, kind: str, wanted: str, name: str) -> tuple[str, list[str]]:
    """The value as another type: its text, and the instructions that convert it."""
    if kind == wanted:
        return value, []
    sizes = {"ptr": 64, "double": 64, "float": 32}
    have = sizes.get(kind) or int(kind[1:])
    want = sizes.get(wanted) or int(wanted[1:])
    lines = []
    if kind == "ptr":
        lines.append(f"{name}.n = ptrtoint ptr {value} to i64")
        value = f"{name}.n"
    elif kind in sizes:
        lines.append(f"{name}.n = bitcast {kind} {value} to i{have}")
        value = f"{name}.n"
    if have != want:
        lines.append(f"{name}.s = {'trunc' if have > want else 'zext'} i{have} {value} to i{want}")
        value = f"{name}.s"
    if wanted in sizes:
        word = "inttoptr" if wanted == "ptr" else "bitcast"
        lines.append(f"{name}.w = {word} i{want} {value} to {wanted}")
        value = f"{name}.w"
    return value, lines
