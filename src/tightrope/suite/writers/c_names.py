"""Names of a suite's own, for a program that several suites are linked into: each includes its unit, so two suites of
one file define the same functions, and two stubs of one function answer differently.

    #if defined(TIGHTROPE_NO_MAIN) && !defined(TIGHTROPE_KEEP_NAMES)
    #define valve_open valve_open_in_test_valve_open
    #define TIGHTROPE_OWN "_in_test_valve_open"
    #else
    #define TIGHTROPE_OWN ""
    #endif
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tightrope.program.declarations.interface import UNIT_MAIN
from tightrope.suite.case import Suite

_ASM = re.compile(r'__asm__\("(\w+)"\)')
_STUB = "tightrope_stub_"
OWN = "TIGHTROPE_OWN"


def with_own_names(suite: Suite, text: str) -> str:
    """The text of a C file with other names for all that it defines for other files, where it is asked for. They are
    defined before the unit is included."""
    names = list(dict.fromkeys(_defined(suite)))
    symbols = {*names, f"{_STUB}free"}

    def with_suffix(found: re.Match[str]) -> str:
        is_own = found[1] in symbols or found[1].startswith(_STUB)
        return f'__asm__("{found[1]}" {OWN})' if is_own else found[0]

    text = _ASM.sub(with_suffix, text)
    before, mark, after = text.partition(f"#define main {UNIT_MAIN}")
    return before + "\n".join(_renaming(suite, names, OWN in text)) + "\n" + mark + after


def _renaming(suite: Suite, names: Iterable[str], has_symbols: bool) -> Iterator[str]:
    suffix = f"_in_{suite.file_stem}"
    yield "/* Where several suites make one program: names of its own for what this file defines. If other files need"
    yield "   names of the unit, build with -DTIGHTROPE_KEEP_NAMES. */"
    yield "#if defined(TIGHTROPE_NO_MAIN) && !defined(TIGHTROPE_KEEP_NAMES)"
    yield from (f"#define {name} {name}{suffix}" for name in names)
    yield from [f'#define {OWN} "{suffix}"', "#else", f'#define {OWN} ""'] * has_symbols
    yield "#endif"


def _defined(suite: Suite) -> Iterator[str]:
    """The unit's own; and what stands for other files."""
    interface = suite.interface
    yield UNIT_MAIN
    ours = (
        *suite.symbols,
        *interface.inline_functions,
        *interface.undefined_globals,
        *(one.name for one in interface.missing_functions),
        *(f"{_STUB}{stub.name}" if stub.is_redirected else stub.name for stub in suite.shape.stubs if not stub.label),
    )
    kept = {"main", *suite.macros, *(name for name, one in suite.ctypes.functions.items() if one.is_static)}
    yield from (name for name in ours if name not in kept)
