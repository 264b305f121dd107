"""Variables that only the file itself can access: static ones whose address it never hands out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from tightrope.program.ir.lexer import NAME
from tightrope.program.ir.model import Function, Instruction, Program

_SYMBOL = re.compile(rf"[@%]{NAME}")
_HARMLESS = ("@llvm.mem", "@llvm.lifetime", "@llvm.dbg", "@tightrope_")  # calls that keep no pointer
_DERIVES = ("getelementptr", "phi", "select", "bitcast", "freeze")


def find_private_variables(program: Program) -> frozenset[str]:
    """Names of static variables ('@count') to which no pointer from outside can lead."""
    return _Addresses(program).private()


class _Addresses:
    """Where the addresses of static variables go. `known`: (function, local pointer or 'ret') -> the variables into
    which it leads."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.static = {name for name, one in program.globals.items() if one.is_internal and one.is_defined}
        self.known: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.leaked = {name for one in program.globals.values() for name in _SYMBOL.findall(one.initializer)}

    def private(self) -> frozenset[str]:
        before = -1
        while before != (before := self._size()):
            for function in self.program.functions.values():
                for each in function.instructions():
                    self._follow(function, each)
        return frozenset(self.static - self.leaked)

    def _size(self) -> int:
        return len(self.leaked) + sum(map(len, self.known.values()))

    def _follow(self, function: Function, each: Instruction) -> None:
        if each.opcode in _DERIVES and each.result:
            self.known[function.name, each.result] |= self._led_to(function, each.text.partition(" = ")[2])
        elif each.opcode == "store":
            self.leaked |= self._led_to(function, each.operands[0].text)
        elif each.opcode == "ret":
            found = {name for value in each.operands for name in self._led_to(function, value.text)}
            self.known[function.name, "ret"] |= found
            self.leaked |= set() if _is_static(function) else found
        elif each.opcode == "call":
            self._follow_call(function, each)
        elif each.opcode not in ("load", "icmp"):
            self.leaked |= self._led_to(function, each.text.partition(" = ")[2] or each.text)

    def _follow_call(self, function: Function, call: Instruction) -> None:
        callee = self.program.functions.get(call.callee)
        if call.callee.startswith(_HARMLESS):
            return
        for at, argument in enumerate(call.arguments):
            found = self._led_to(function, argument.value.text)
            if callee is not None and callee.is_defined and at < len(callee.parameters):
                self.known[callee.name, callee.parameters[at].name] |= found
            else:
                self.leaked |= found
        if callee is not None and call.result:
            self.known[function.name, call.result] |= self.known[callee.name, "ret"]

    def _led_to(self, function: Function, text: str) -> set[str]:
        return {name for word in _SYMBOL.findall(text) for name in self._variables(function, word)}

    def _variables(self, function: Function, word: str) -> Iterator[str]:
        if word in self.static:
            yield word
        elif word.startswith("%"):
            yield from self.known.get((function.name, word), ())


def _is_static(function: Function) -> bool:
    return bool(re.match(r"define (?:internal|private)\b", function.header))
