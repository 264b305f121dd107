"""Tests for two versions of a unit in one file: TIGHTROPE_UNIT says which of them is included.

The tests are those of the new version. What only the old version needs (variables of other files, and stubs) is between
`#ifdef TIGHTROPE_OLD` and `#endif`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tightrope.harness.driver import define_constants, define_undefined
from tightrope.harness.stubs import RESET, StubWriter, define_missing
from tightrope.program.declarations.c_types import CTypes
from tightrope.program.declarations.declare import declare, is_spellable
from tightrope.program.declarations.interface import Interface
from tightrope.program.declarations.stubs import Stub
from tightrope.suite.case import Suite, file_stem
from tightrope.suite.writers.plain_c import comment, write_plain_c

UNIT = "TIGHTROPE_UNIT"
IS_OLD = "TIGHTROPE_OLD"
_WEAK = "__attribute__((weak)) "


@dataclass(frozen=True, slots=True)
class OldVersion:
    """What the tests must know of the old version."""

    ctypes: CTypes
    interface: Interface
    stubs: tuple[Stub, ...]
    source: str  # its path, as seen from the tests; '' when no file of the user holds it
    name: str = ""  # as people call it: `old.c`, `HEAD~1:src/x.c`
    defined: frozenset[str] = frozenset()  # functions that it defines


@dataclass(frozen=True, slots=True)
class Aside:
    """A comment above a test, and additional statements in it."""

    remarks: tuple[str, ...] = ()
    before: tuple[str, ...] = ()  # statements before the call, for the old version alone
    after: tuple[str, ...] = ()
    always: tuple[str, ...] = ()  # after the call, for both


@dataclass(frozen=True, slots=True)
class EitherSuite(Suite):
    """A suite of the new version that can also be built with the old one."""

    old: OldVersion | None = None
    asides: Mapping[str, Aside] = field(default_factory=dict)  # by name of the case

    @property
    def file_stem(self) -> str:
        return f"{file_stem(self.source, self.function, self.output_stem)}_differences"


def write_either_version(suite: EitherSuite) -> dict[str, str]:
    """File name -> text."""
    assert suite.old is not None
    files = write_plain_c(suite)
    return {name: _with_asides(suite, _with_choice(suite, suite.old, text)) for name, text in files.items()}


def _with_choice(suite: EitherSuite, old: OldVersion, text: str) -> str:
    """The text with the unit included by the name that the compiler is given."""
    include = f'#include "{suite.include_path}"\n'
    assert text.count(include) == 1
    before, after = _for_old(_redirections(suite, old)), _for_old(_definitions(suite, old))
    is_special = before or after or any(each.before or each.after for each in suite.asides.values())
    lines = [
        "/* Each of these tests passes with one version of the unit and fails with the other. To test the old version:",
        f"       {comment(_way_to_old(old, bool(is_special)))} */",
        *(f"#ifndef {UNIT}", f'#define {UNIT} "{suite.include_path}"', "#endif"),
        *(*before, f"#include {UNIT}", *after, ""),
    ]
    return text.replace(include, "\n".join(lines))


def _way_to_old(old: OldVersion, is_special: bool) -> str:
    """How the user runs the tests with the old version."""
    switches = [f"-D{IS_OLD}"] * is_special + [f"-D{UNIT}='\"{old.source}\"'"] * bool(old.source)
    if old.source:
        return " ".join(switches)
    return f"check out {old.name.partition(':')[0]}" + f", and build with {' '.join(switches)}" * is_special


def _for_old(lines: Iterable[str]) -> list[str]:
    inside = list(lines)
    return [f"#ifdef {IS_OLD}", *inside, "#endif"] if inside else []


def _old_stubs(suite: EitherSuite, old: OldVersion) -> StubWriter:
    """The stubs that only the old version calls. (Function pointers point to those of the new one.)"""
    known = {stub.name for stub in suite.shape.stubs}
    only = (stub for stub in old.stubs if stub.name not in known and stub.name == stub.path)
    return StubWriter(old.ctypes, tuple(only))


def _redirections(suite: EitherSuite, old: OldVersion) -> Iterator[str]:
    return _old_stubs(suite, old).redirections()


def _definitions(suite: EitherSuite, old: OldVersion) -> Iterator[str]:
    """Declarations of what one version needs from other files and the other one does not mention."""
    for one in suite.interface.globals:
        is_foreign = one.name in suite.interface.undefined_globals
        if is_foreign and one.name not in old.interface.undefined_globals and is_spellable(suite.ctypes, one.type):
            yield f"extern {declare(suite.ctypes, one.type, one.name)};"
    stubs, known = _old_stubs(suite, old), {one.name for one in suite.interface.missing_functions}
    for name in sorted(known & old.defined):  # it defines the function itself: rename what follows
        yield f"#define {name} tightrope_not_called_{name}"
    only = replace(
        old.interface,
        missing_functions=tuple(one for one in old.interface.missing_functions if one.name not in known),
        undefined_globals=tuple(
            n for n in old.interface.undefined_globals if n not in suite.interface.undefined_globals
        ),
    )
    yield from (*define_undefined(only, _WEAK), *define_constants(old.ctypes, only))
    yield from define_missing(old.ctypes, only, stubs.stubs, _WEAK)
    for line in stubs.definitions():
        if line.startswith(f"static void {RESET}("):
            break
        yield line


def _with_asides(suite: EitherSuite, text: str) -> str:
    for name, aside in suite.asides.items():
        head = f"static void test_{name}(void)\n{{\n"
        above, rest = text.split(head)
        body, below = rest.split("\n}\n", 1)
        always = "".join(f"    {each}\n" for each in aside.always)
        before, after = _lines(aside.before), always + _lines(aside.after)
        text = f"{above}{_comment(aside.remarks)}{head}{before}{body}\n{after}}}\n{below}"
    return text


def _lines(statements: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in _for_old(f"    {each}" for each in statements))


def _comment(remarks: Sequence[str]) -> str:
    shown = [comment(line) for line in remarks]
    return "/* " + "\n   ".join(shown) + " */\n" if shown else ""
