"""Which variables a piece of code may write: what a loose formula must forget behind a loop or a call.

store i32 1, ptr %x              the local %x, or the global that the address belongs to
store i32 1, ptr %p              whatever a pointer can lead to
call @f()                        what @f writes, except its own locals
call of a function without body  anything, unless the table of the library says otherwise
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tightrope.library.libc_models import EXACT_MATH, HARMLESS, LOOKUPS, NUMERIC, PREFIX, SETS_ERRNO
from tightrope.program.ir.model import Function, Instruction, Program, Value
from tightrope.program.ir.types import PointerType
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH
from tightrope.weaving.weave_library import ALLOCATORS, ENDS, FREES

COPIES = ("@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset.")
_SILENT = re.compile(r"@llvm\.(dbg|lifetime|assume|invariant|prefetch|va_end|stacksave|stackrestore|objectsize)\b")
_MARKS = frozenset((CONDITION, LABEL_BEGIN, LABEL_END, REACH))
_LIBRARY = frozenset((*NUMERIC, *EXACT_MATH, *HARMLESS, *LOOKUPS)) - frozenset(SETS_ERRNO)
_CALLS = ("call", "invoke", "callbr")


@dataclass(frozen=True, slots=True)
class WrittenVariables:
    """`names` of globals ('@g') and of locals of the function ('%x')."""

    names: frozenset[str] = frozenset()
    through_pointers: bool = False  # whatever a pointer can lead to
    by_unknown_code: bool = False  # whatever other code can reach

    def __or__(self, other: WrittenVariables) -> WrittenVariables:
        return WrittenVariables(
            self.names | other.names,
            self.through_pointers or other.through_pointers,
            self.by_unknown_code or other.by_unknown_code,
        )


NOTHING, ANYTHING = WrittenVariables(), WrittenVariables(by_unknown_code=True)
SOMEWHERE = WrittenVariables(through_pointers=True)


@dataclass(slots=True)
class WrittenFinder:
    program: Program
    opaque: frozenset[str]  # functions with a body that counts as unknown
    _known: dict[str, WrittenVariables] = field(default_factory=dict)
    _hidden: dict[str, frozenset[str]] = field(default_factory=dict)

    def by_function(self, name: str) -> WrittenVariables:
        """What a call of it writes, without its own locals."""
        function = self.program.functions.get(name)
        if function is None or not function.is_defined or name in self.opaque:
            return ANYTHING
        if name not in self._known:
            self._known[name] = ANYTHING  # if it calls itself
            found = self.by_instructions(function, function.instructions())
            self._known[name] = replace(found, names=_globals(found.names))
        return self._known[name]

    def by_instructions(self, function: Function, instructions: Iterable[Instruction]) -> WrittenVariables:
        made = _definitions(function)
        found = NOTHING
        for each in instructions:
            found |= self._by_instruction(made, each)
        return found

    def by_call(self, function: Function, call: Instruction) -> WrittenVariables:
        return self.by_instructions(function, (call,))

    def _by_instruction(self, made: Mapping[str, Instruction], each: Instruction) -> WrittenVariables:
        match each.opcode:
            case "store":
                return _at(made, each.operands[1])
            case "cmpxchg" | "atomicrmw":
                return _at(made, each.operands[0])
            case "va_arg":
                return ANYTHING
        return self._by_call(made, each) if each.opcode in _CALLS else NOTHING

    def _by_call(self, made: Mapping[str, Instruction], call: Instruction) -> WrittenVariables:
        if call.callee.startswith(COPIES):
            return _at(made, call.arguments[0].value)
        if is_harmless(call):
            return NOTHING
        own = self.program.functions.get(call.callee)
        is_library = own is not None and not own.is_defined
        return self.by_function(f"@{PREFIX}{call.callee[1:]}" if is_library else call.callee)

    def hidden_locals(self, function: Function) -> frozenset[str]:
        """Locals whose addresses are used only to read and to write them."""
        if function.name not in self._hidden:
            self._hidden[function.name] = frozenset(_find_hidden(function))
        return self._hidden[function.name]


def is_harmless(call: Instruction) -> bool:
    """True if the call of a function without a body writes no memory of the program."""
    name = call.callee
    if call.is_assembly or not name.startswith("@"):
        return False
    if name in _MARKS or name in ENDS or name in ALLOCATORS or name in FREES or name[1:] in _LIBRARY:
        return True
    if name.startswith("@llvm."):
        return bool(_SILENT.match(name)) or not any(isinstance(one.value.type, PointerType) for one in call.arguments)
    return False


def _definitions(function: Function) -> dict[str, Instruction]:
    return {each.result: each for each in function.instructions() if each.result}


def _globals(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if name.startswith("@"))


def _at(made: Mapping[str, Instruction], address: Value) -> WrittenVariables:
    """The variable to which an address leads."""
    while address.is_local:
        source = made.get(address.text)
        if source is not None and source.opcode == "alloca":
            return WrittenVariables(frozenset({address.text}))
        if source is None or source.opcode != "getelementptr":
            return SOMEWHERE
        address = source.operands[0]
    return WrittenVariables(frozenset({address.text})) if _SYMBOL.fullmatch(address.text) else _inside(address.text)


def _inside(constant: str) -> WrittenVariables:
    """The globals in a constant expression: `getelementptr (i8, ptr @table, i64 8)`."""
    names = frozenset(_SYMBOL.findall(constant))
    return WrittenVariables(names) if constant.startswith("getelementptr") and len(names) == 1 else SOMEWHERE


_SYMBOL = re.compile(r'@(?:[\w.$-]+|"[^"]*")')


def _find_hidden(function: Function) -> set[str]:
    """All locals, except those whose address, or an address computed from it, is used otherwise."""
    owner = {each.result: each.result for each in function.instructions() if each.opcode == "alloca" and each.result}
    hidden = set(owner)
    is_changed = True
    while is_changed:
        is_changed = False
        for each in function.instructions():
            if each.opcode == "getelementptr" and each.result and each.operands[0].text in owner:
                mine = owner[each.operands[0].text]
                if owner.get(each.result) != mine:
                    owner[each.result], is_changed = mine, True
    for each in function.instructions():
        for value in _other_uses(each):
            hidden.discard(owner.get(value.text, ""))
    return hidden


def find_hidden_globals(program: Program, ours: Collection[str]) -> set[str]:
    """Static variables whose addresses are used only to read and to write them; `ours`: functions that do not count."""
    hidden = {name for name, one in program.globals.items() if one.is_internal and not one.is_constant}
    for one in program.globals.values():
        hidden -= set(_SYMBOL.findall(one.initializer))
    exposed = (line for line in program.prelude if " alias " in line or ' section "' in line or ", section" in line)
    hidden -= {name for line in exposed for name in _SYMBOL.findall(line)}
    for function in program.functions.values():
        if function.name not in ours and not hidden.isdisjoint(_SYMBOL.findall(_text(function))):
            hidden -= set(_carried_away(function))
    return hidden


def _text(function: Function) -> str:
    return " ".join(each.text for each in function.instructions() if "@" in each.text)


def _carried_away(function: Function) -> Iterator[str]:
    """The globals whose addresses are used otherwise in this function."""
    made = _definitions(function)
    for each in function.instructions():
        for value in _other_uses(each):
            source = value
            while source.is_local and (definition := made.get(source.text)) and definition.opcode == "getelementptr":
                source = definition.operands[0]
            if not source.is_local:
                yield from _SYMBOL.findall(source.text)


def _other_uses(each: Instruction) -> Iterable[Value]:
    """The operands that may carry an address away."""
    if each.opcode == "load":
        return ()
    if each.opcode == "store":
        return each.operands[:1]
    if each.opcode == "getelementptr":
        return each.operands[1:]
    if each.opcode in _CALLS:
        is_access = each.callee.startswith(COPIES) or _SILENT.match(each.callee)
        return () if is_access else [one.value for one in each.arguments]
    return (*each.operands, *(value for value, _ in each.incoming))
