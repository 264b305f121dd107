"""C for other compilers: words that they add to the language are defined away, so that any compiler reads the file.

    void __irq tick(void);            Keil
    __no_init uint8_t boots;          IAR          -D__irq= -D__no_init=
    __interrupt void tick(void);

A file that compiles is not changed, except for attributes that mean another thing here than there. If it does not
compile, the words of the table that it contains are defined away, and it is compiled again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tightrope.errors import CompileError
from tightrope.source.compile import list_dependencies
from tightrope.source.compile_request import Listener
from tightrope.source.project import Project, Recipe, compile_by_recipe
from tightrope.source.toolchain import Compiler, is_of_system

LAYOUT = "__packed"  # in front of `struct` no attribute has its meaning: structs have another layout here
# A word, and what it becomes. `WORD(...)`: with arguments.
WORDS: dict[str, str] = {
    # Keil, ARM Compiler 5
    **dict.fromkeys(("__irq", "__pure", "__softfp", "__value_in_regs", "__writeonly"), ""),
    **dict.fromkeys(("__svc(...)", "__svc_indirect(...)", "__swi(...)", "__smc(...)", "__align(...)", "__at(...)"), ""),
    "__weak": "__attribute__((weak))",
    "__forceinline": "inline",
    # IAR
    **dict.fromkeys(("__interrupt", "__ramfunc", "__no_init", "__root", "__flash", "__farflash", "__hugeflash"), ""),
    **dict.fromkeys(("__near", "__far", "__tiny", "__huge", "__eeprom", "__farfunc", "__nearfunc", "__version_1"), ""),
    **dict.fromkeys(("__monitor", "__nested", "__task", "__intrinsic", "__arm", "__thumb", "__fiq", "__stackless"), ""),
    **dict.fromkeys(("__data16", "__data20", "__regvar", "__raw", "__ro_placement"), ""),
    **dict.fromkeys(("__io", "__sfr"), "volatile"),
    "__sbit": "volatile _Bool",
    LAYOUT: "",
    "__noreturn": "__attribute__((noreturn))",
    # avr-gcc, XC8, XC16, C51, SDCC
    **dict.fromkeys(("__memx", "__flash1", "__flash2", "__bank", "__persistent", "__psv__", "__reentrant"), ""),
    **dict.fromkeys(("__data", "__idata", "__xdata", "__pdata", "__code", "__critical", "__naked"), ""),
    "__bit": "_Bool",
    "__using(...)": "",
}
# Ordinary names elsewhere, so they are defined away only where the compiler complains about them.
PLAIN_WORDS = (
    *("near", "far", "huge", "interrupt", "xdata", "idata", "pdata", "reentrant", "code", "data"),
    *("irq", "ramfunc", "no_init", "root", "persistent", "bank1", "bank2", "eeprom", "monitor", "using"),
)
PLAIN_TYPES = {"bit": "_Bool", "sfr": "volatile unsigned char", "sbit": "volatile _Bool"}
_SHOWN = re.compile(r"^ *\d+ \| (.*)$", re.MULTILINE)  # a line of the source, in a message
# Attributes that mean another thing on this machine. Under another name, they mean nothing.
_ATTRIBUTES = ("interrupt", "__interrupt__", "naked", "__naked__")
_ATTRIBUTE = re.compile(rf"__attribute__\s*\(\s*\([^;{{}}]*?\b({'|'.join(_ATTRIBUTES)})\b")

ASSEMBLY = (  # `asm volatile ("...")`: the word that stays must be an expression in every function
    *(f"{word}=__func__" for word in ("asm", "__asm", "__asm__")),
    "__func__(...)=",
    *(f"{word}(...)=+0" for word in ("volatile", "__volatile", "__volatile__")),
)
_ABOUT_ASSEMBLY = re.compile(r"in asm\b|in 'asm'|asm operand|asm clobber|'asm'")


@dataclass(frozen=True, slots=True)
class CompiledDialect:
    """A file that was compiled, and what was defined away for that."""

    bitcode: bytes
    recipe: Recipe
    project: Project
    definitions: tuple[str, ...] = ()  # `__irq=`


def compile_dialect(
    compiler: Compiler,
    file: Path,
    project: Project,
    wanted: Sequence[str] = (),
    further: Sequence[str] = (),
    on_warning: Listener | None = None,
) -> CompiledDialect:
    """Compile the file as its project does. `wanted`: what the user wants to be defined away."""
    definitions = tuple(dict.fromkeys((*wanted, *renamed_attributes(_read(file)))))
    texts: list[str] = []
    while True:
        try:
            return _compile(compiler, file, project, definitions, further, on_warning)
        except CompileError as problem:
            texts = texts or list(_texts(compiler, file, project))
            known = {_name(each) for each in definitions}
            more = [each for each in find_definitions(texts, problem.diagnostics) if _name(each) not in known]
            if not more:
                raise
            definitions = (*definitions, *{_name(each): each for each in reversed(more)}.values())


def as_definitions(words: Iterable[str]) -> tuple[str, ...]:
    """`__irq` is defined as nothing."""
    return tuple(each if "=" in each else f"{each}=" for each in words)


def _texts(compiler: Compiler, file: Path, project: Project) -> Iterator[str]:
    """The file, and what it includes of the program."""
    recipe = project.recipes(file)[0]
    found = list_dependencies(compiler, file.resolve(), recipe.flags.kept, working_directory=recipe.folder)
    for each in (file, *(recipe.folder / name for name in found)):
        if not is_of_system(each.resolve()):
            yield _read(each)


def _compile(
    compiler: Compiler,
    file: Path,
    project: Project,
    definitions: tuple[str, ...],
    further: Sequence[str],
    on_warning: Listener | None,
) -> CompiledDialect:
    own = replace(project, definitions=definitions)
    bitcode, recipe = compile_by_recipe(compiler, file.resolve(), own.recipes(file), further, on_warning)
    return CompiledDialect(bitcode, recipe, own, definitions)


def find_definitions(texts: Iterable[str], diagnostics: str) -> Iterator[str]:
    """What to define away in these texts, which the compiler complains about."""
    everything = "\n".join(texts)
    used, own = set(re.findall(r"\w+", everything)), set(re.findall(r"#\s*define\s+(\w+)", everything))
    for word, text in WORDS.items():
        if _name(word) in used - own:
            yield f"{word}={text}"
    yield from renamed_attributes(everything)
    shown = set(re.findall(r"\w+", "\n".join(_SHOWN.findall(diagnostics))))
    yield from (f"{word}=" for word in PLAIN_WORDS if word in shown - own)
    yield from (f"{word}={text}" for word, text in PLAIN_TYPES.items() if word in shown - own)
    if _ABOUT_ASSEMBLY.search(diagnostics):
        yield from ASSEMBLY


def _name(word: str) -> str:
    return re.split("[(=]", word)[0]


def renamed_attributes(text: str) -> Iterator[str]:
    """Definitions that give such attributes another name."""
    for name in dict.fromkeys(_ATTRIBUTE.findall(text)):
        yield f"{name}=tightrope_{name.strip('_')}"


def describe_definitions(definitions: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """Tells the user what was defined away without being asked for."""
    names = [_name(each) for each in definitions if each not in (*wanted, *ASSEMBLY)]
    if names:
        listed = ", ".join(names)
        yield f"words of other compilers are ignored: {listed} (see --define-away)"
    if ASSEMBLY[0] in definitions:
        yield "inline assembly is ignored: its operands and registers are those of another processor"


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
