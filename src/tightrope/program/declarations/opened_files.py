"""Whether a function only reads the files that it opens: then the streams can be inputs, with the content of standard
input, and no file of the user's is touched.

    file = fopen("/etc/rules", "r");       reads
    log = fopen(name, "a");                writes: the library does all calls
    file = fopen(name, mode);              may write
    int main(...) { fopen(argv[1], "r")    can read standard input itself: its name is an argument
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from tightrope.library.libc_models import FOPEN, READERS, STDIN_AS_FILE
from tightrope.library.table import Fact, functions_with
from tightrope.program.ir.model import Instruction, Program

OF_FILES = functions_with(Fact.FILES)
"""Functions that are stubs where this holds."""

_OPENING = tuple(f"@{name}" for name in FOPEN)
_MAKE_STREAMS = functions_with(Fact.MAKES_STREAM)
_MENTION = re.compile(rf"@({'|'.join(FOPEN)})\b")
_LITERAL = re.compile(r'c"(.*)\\00"$')


def only_reads_files(program: Program, name: str, reached: Container[str]) -> bool:
    """`reached`: the symbols that a call of the function may reach. No stream has another source, and standard input is
    not read beside the files."""
    if "@stdin" in reached or any(f"@{other}" in reached for other in _MAKE_STREAMS | READERS):
        return False
    mentions = [each for each in _instructions(program, reached) if _MENTION.search(each.text)]
    in_tables = any(_MENTION.search(one.initializer) for symbol, one in program.globals.items() if symbol in reached)
    return not in_tables and all(_reads(program, each, name == "main") for each in mentions)


def _instructions(program: Program, reached: Container[str]) -> Iterator[Instruction]:
    for symbol, function in program.functions.items():
        if symbol in reached and function.is_defined:
            yield from function.instructions()


def _reads(program: Program, each: Instruction, is_main: bool) -> bool:
    if each.opcode != "call" or each.callee not in _OPENING or len(each.arguments) != 2:
        return False
    opened, mode = (_text(program, argument.value.text) for argument in each.arguments)
    is_fixed = opened not in ("", STDIN_AS_FILE.decode())
    return mode.startswith("r") and "+" not in mode and (is_fixed or not is_main)


def _text(program: Program, symbol: str) -> str:
    """The literal that a pointer leads to, '' if it is none."""
    literal = program.globals.get(symbol)
    found = _LITERAL.search(literal.initializer) if literal is not None and literal.is_constant else None
    return found[1] if found else ""
