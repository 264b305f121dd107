"""Which C library functions have a model, and which may be called as they are: derived from `library/table.py`.

A model is C that is compiled and instrumented like the unit, so that its meaning needs no second description.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tightrope.expr.operators import Op
from tightrope.library.table import FUNCTIONS, MODELS, SECTIONS, Fact, Section, functions_with

PREFIX = "tightrope_model_"  # the model of `strlen` is called tightrope_model_strlen

MODEL_FILES: tuple[Section, ...] = tuple(section for section in SECTIONS if section.model)
"""The sections of the table that have models, in the order in which their files are linked."""

MODELLED: Mapping[str, Section] = MappingProxyType({name: each for each in MODEL_FILES for name in each.names})
"""Function -> the section that holds its model."""


def is_model(file: str) -> bool:
    """Whether a place in this file lies in a model."""
    return MODELS in Path(file).parents


BY_POINTER: frozenset[str] = frozenset(name for name in MODELLED if FUNCTIONS[name].heap)
"""Functions whose models are for calls through pointers alone: the runtime does the other calls itself."""

SHARED_WITH_DRIVER: frozenset[str] = frozenset(("tightrope_stdin", "tightrope_stdin_size", "tightrope_stdin_length"))
"""Variables of models that a driver may define in their place."""

SHARED_WITH_UNIT: frozenset[str] = frozenset(("optarg", "optind", "opterr", "optopt"))
"""Variables of the library that models define, in place of the library's own."""

HARMLESS = functions_with(Fact.HARMLESS)
"""Functions called as they are: they write no memory of the unit, and their output is discarded. If the program uses
the result, those that have a model are modelled, and the others return a concrete number."""

TRACELESS = functions_with(Fact.TRACELESS)
"""Functions that do not change the process: its signal handlers, folder, files, timers, random numbers ... So the next
run may use the same process."""

READERS = functions_with(Fact.READS_STDIN)
"""Functions that read standard input without a parameter for the stream."""

KEEPS_STATE = functions_with(Fact.KEEPS_STATE)
"""Functions that remember something between calls: the library's one does so in the process, the model in its own
variables."""

NUMERIC = functions_with(Fact.NUMERIC)
"""Functions called as they are, with concrete arguments: a concretisation, and no other effect. They are those of
<math.h>, and those that compilers call for products and quotients of complex numbers."""

ALLOCATORS = functions_with(Fact.ALLOCATES, Fact.NEEDS_MEMORY)
"""Functions that fail if there is no memory: their result depends on more than their arguments."""

LOOKUPS = functions_with(Fact.LOOKUP)
"""Functions that always return the same, or the address of a text in the library's memory: reading this text makes the
path approximate, printing it does not."""

EXACT_MATH: Mapping[str, Op] = MappingProxyType(
    {name: Op[one.operator] for name, one in FUNCTIONS.items() if one.operator}
)
"""Functions of <math.h> that are one operator of the expression language."""

SETS_ERRNO = functions_with(Fact.SETS_ERRNO)
"""Those of them that set errno."""


def may_change_process(name: str) -> bool:
    """Whether a call of this library function, without instrumentation, may affect a later call of the unit."""
    one = FUNCTIONS.get(name)
    if one is None or name in KEEPS_STATE:
        return True
    is_known = one.model or one.heap or one.ends or one.operator or name in NUMERIC
    return not (is_known or name in TRACELESS)


def required_models(functions: frozenset[str]) -> tuple[Section, ...]:
    """The files of models that a unit that calls `functions` needs, in the order of the table."""
    requires = {each.model: each.requires for each in MODEL_FILES}
    waiting = [MODELLED[name].model for name in functions if name in MODELLED]
    needed: set[str] = set()
    while waiting:
        model = waiting.pop()
        waiting += () if model in needed else requires[model]
        needed.add(model)
    return tuple(each for each in MODEL_FILES if each.model in needed)


_SCANNER = re.compile(r"(?:__isoc\d+_)?v?([fs]?)scanf")
_SCANNED = re.compile(
    rb"%\*?\d*(?:(?:hh|h|ll|l|j|z|t|q|L)?[diouxXn]|[lL]?(?:[feEgGFA]|a(?![sS\[]))|[cs%]|\[\^?\]?[^\]]*\])"
)


def format_of_scanner(name: str) -> int | None:
    """Which argument of a function of the scanf family is the format; None for other functions."""
    found = _SCANNER.fullmatch(name)
    return len(found[1]) if found else None


_PRINTER = re.compile(r"v?s(n?)printf")


def format_of_text_printer(name: str) -> tuple[int, int | None] | None:
    """Which argument of a function that prints into memory is the format, and which one says how much room there is;
    None for other functions."""
    found = _PRINTER.fullmatch(name)
    return found and ((2, 1) if found[1] else (1, None))


def spoken_name(name: str) -> str:
    """As the C has it: headers of glibc turn `sscanf` into `__isoc99_sscanf`."""
    return re.sub(r"^__isoc\d\d_", "", name)


def can_scan(name: str, form: bytes | None) -> bool:
    """Whether the model of the scanf family supports everything in this format.

    None: it is not known. Then the library does the work of `sscanf`. It cannot replace the others: it does not know
    the content of standard input, and we do not see what it writes through a `va_list`."""
    if form is None:
        return not name.endswith("sscanf") or name.endswith("vsscanf")
    return b"%" not in _SCANNED.sub(b"", form)


FOPEN, STDIN_AS_FILE = ("fopen", "fopen64"), b"/dev/stdin"


def may_open_stdin(name: bytes | None, mode: bytes | None) -> bool:
    """Whether the model of `fopen` matters: the file may be standard input. None: it is not known."""
    return name in (None, STDIN_AS_FILE) and (mode is None or mode.startswith(b"r"))
