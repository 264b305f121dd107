"""A unit's program in which uninitialised locals hold unknown values.

In runs such a local is zero, and LLVM's SROA makes it a constant: `int x; if (c) x = 1; return x;` is compiled as if
the C said `int x = 0`. A proof of equality must not rely on that, because adding `= 0` is a fix. So where clang notes
that it zeroes a local ("auto-init"), a call replaces that zero.

    store i32 0, ptr %x, !annotation !7     ->     %unwritten.1 = call i32 @tightrope_unwritten.1()
                                                   store i32 %unwritten.1, ptr %x
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from tightrope.encoding.observer_handlers import UNWRITTEN
from tightrope.harness.driver import DRIVER_FILE
from tightrope.options.options import Options
from tightrope.program.c_text.source_text import SourceText
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import assemble, link_bitcode, raw_text, read_bitcode
from tightrope.program.normal_form.normal_form import normalise_control
from tightrope.units.build import join_models
from tightrope.units.linking import PLAIN_CTYPE
from tightrope.units.marked_program import enumerators, has_conditional
from tightrope.units.prepared import PreparedUnit

MOST_ELEMENTS = 256  # of a local that clang does not zero
_ALLOCA = re.compile(r"  (%[\w.$\"-]+) = alloca ((?:[^,\[{<]|\[[^,]*\]|\{.*\}|<.*>)+), align \d+")
_ZEROED = re.compile(
    r"(?:store (?P<type>.+) [^ ]+, ptr|@llvm\.mem\w+\S*\(ptr(?: align \d+)?) (?P<to>%[\w.$\"-]+),?.*!annotation !"
)
_DIMENSION = re.compile(r"\[(\d+) x ")
_FUNCTION = re.compile(r"^define [^\n]*\n.*?^\}", re.MULTILINE | re.DOTALL)


def program_of(unit: PreparedUnit, options: Options) -> Program:
    """Compile the program of the unit again, with calls for uninitialised values. Raises ValueError if LLVM rejects
    it."""
    file, text = unit.file, unit.driver.text
    flags = (*file.flags.kept, *PLAIN_CTYPE)
    source = file.text_beside(text, flags, DRIVER_FILE, "overflow" in options.checks)
    parts = [source.compile(), *(each.bitcode for each in unit.linked)]
    bitcode = link_bitcode([assemble(mark_unwritten(raw_text(part))) for part in parts])
    program = join_models(file.compiler, bitcode, read_bitcode(bitcode)[0])
    return normalise_control(program, has_conditional(SourceText(enumerators=enumerators(unit.ctypes))))


def mark_unwritten(text: str) -> str:
    """The text of a module, with calls in place of zeros."""
    marker = _Marker()
    return _FUNCTION.sub(lambda found: marker.edit(found[0]), text) + "\n" + "\n".join(marker.declarations()) + "\n"


class _Marker:
    def __init__(self) -> None:
        self._types: dict[str, int] = {}
        self._count = 0

    def declarations(self) -> Iterator[str]:
        return (f"declare {kind} {UNWRITTEN}{number}()" for kind, number in self._types.items())

    def edit(self, function: str) -> str:
        lines = function.split("\n")
        kinds = {found[1]: found[2] for found in map(_ALLOCA.match, lines) if found}
        zeroed = {found["to"] for found in map(_ZEROED.search, lines) if found}
        return "\n".join(edited for line in lines for edited in self._edit_line(line, kinds, zeroed))

    def _edit_line(self, line: str, kinds: dict[str, str], zeroed: set[str]) -> Iterator[str]:
        found = _ZEROED.search(line)
        if found:
            kind = kinds.get(found["to"]) or found["type"]
            yield from self._fill(found["to"], kind) if kind else (line,)
            return
        yield line
        made = _ALLOCA.match(line)
        if made and made[1] not in zeroed and not made[1].endswith(".addr") and _is_aggregate(made[2]):
            yield from self._fill(made[1], made[2])

    def _fill(self, to: str, kind: str) -> Iterator[str]:
        number = self._types.setdefault(kind, len(self._types) + 1)
        self._count += 1
        yield f"  %tightrope_unwritten.{self._count} = call {kind} {UNWRITTEN}{number}()"
        yield f"  store {kind} %tightrope_unwritten.{self._count}, ptr {to}"


def _is_aggregate(kind: str) -> bool:
    """True for an aggregate with few elements."""
    elements = math.prod(map(int, _DIMENSION.findall(kind)))
    return kind[0] in "[{<%" and elements <= MOST_ELEMENTS
