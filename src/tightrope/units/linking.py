"""Other files of the program that are linked with a unit, so that what it calls there is executed and not stubbed.

Only the unit's own objectives count. A linked file is compiled with the flags of its project, else with the unit's
flags. Functions that it needs from further files return zero: following those too would end at `main`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from tightrope.errors import CompileError, UsageError
from tightrope.harness.heap_stubs import of_linked
from tightrope.library.libc_models import FOPEN, MODELLED
from tightrope.library.symbols import is_in_library
from tightrope.library.table import Fact, functions_with
from tightrope.program.declarations.interface import Interface
from tightrope.program.devices.registers import find_register_accesses
from tightrope.program.ir.linked_programs import (
    Outline,
    defined_data,
    defined_functions,
    read_outline,
    replaceable_symbols,
)
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import assemble, prune, raw_text, read_bitcode
from tightrope.source.compile import compile_to_object
from tightrope.source.dialects import ASSEMBLY
from tightrope.source.foreign_assembly import find_foreign_assembly
from tightrope.source.linked_files import defined_names, find_definers
from tightrope.source.project import Project, Recipe, compile_by_recipe, short_path
from tightrope.source.toolchain import Compiler
from tightrope.suite.folder import is_ours

ALL_FUNCTIONS = ("-femit-all-decls",)  # also static functions that are not called
PLAIN_CTYPE = ("-D__NO_CTYPE",)  # isdigit() is a call, which has a model, instead of a table look-up
# A file that is linked automatically must be small: with more functions than this it is half a program.
MOST_FUNCTIONS = 40
MOST_LOOSE = 40  # symbols that the rest of such a file needs


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """A file, compiled as a whole."""

    path: Path
    compiler: Compiler
    recipe: Recipe
    bitcode: bytes
    outline: Outline
    further: tuple[str, ...] = ()  # flags

    @property
    def flags(self) -> tuple[str, ...]:
        return (*self.recipe.flags.kept, *self.further)

    def object_code(self, further: tuple[str, ...] = ()) -> bytes:
        folder, flags = self.recipe.folder, (*self.flags, *further)
        return compile_to_object(self.compiler, self.path, flags, working_directory=folder, is_optimised=False)

    def needs(self, provided: Collection[str]) -> list[str]:
        """What it needs from further files."""
        return _left_open(self.outline, provided)


@dataclass(frozen=True, slots=True)
class LinkedFile:
    """A file, reduced to the code that the unit can reach."""

    whole: CompiledFile
    bitcode: bytes
    program: Program
    further: tuple[str, ...] = ()  # flags for the tests

    @property
    def path(self) -> Path:
        return self.whole.path

    @property
    def outline(self) -> Outline:
        return self.whole.outline

    def object_code(self) -> bytes:
        """The whole file, for the tests without instrumentation."""
        return self.whole.object_code(self.further)

    def for_tests(self, text: str) -> LinkedFile:
        """As tests with this text need it: those of earlier versions do not know all that flags may name."""
        return replace(self, further=tuple(each for each in self.further if each.partition("=")[2] in text))


def with_given_heap(file: LinkedFile, names: Sequence[str]) -> LinkedFile:
    """The file with calls of the driver's or the tests' `free`, `malloc` ...: it may free what the unit received, and
    whether there is memory is an input."""
    text = raw_text(file.bitcode)
    found = [name for name in names if re.search(_symbol(name), text)]
    if not found:
        return file
    for name in found:
        text = re.sub(_symbol(name), f"@{of_linked(name)}", text)
    return replace(file, bitcode=assemble(text), further=tuple(f"-D{name}={of_linked(name)}" for name in found))


def _symbol(name: str) -> str:
    return rf"@{name}(?![\w.$])"


def write_objects(files: Sequence[LinkedFile | CompiledFile], folder: Path) -> Iterator[Path]:
    """The files as objects in this folder, compiled once."""
    for number, each in enumerate(files):
        path = folder / f"linked_{number}.o"
        if not path.exists():
            path.write_bytes(each.object_code())
        yield path


@dataclass(frozen=True, slots=True)
class Links:
    """The files that are linked, and remarks on those that are not although they define what the unit calls."""

    files: tuple[LinkedFile, ...]
    remarks: tuple[str, ...] = ()


def why_stubbed(file: LinkedFile) -> str:
    """Why stubs are better than the code of this file: it belongs to other hardware, or answers otherwise at another
    time. '' if it does not."""
    names = [name for name, one in file.program.functions.items() if one.is_defined]
    accesses = [one for name in names for one in find_register_accesses(file.program, name)]
    if accesses:
        return f"it accesses registers, for example {accesses[0].words}"
    passing = sorted(name for name in file.program.functions if name[1:] in PASSING)
    if passing:
        return f"its results depend on when it is called: it calls {passing[0][1:]}()"
    opening = sorted(name for name in file.program.functions if name[1:] in OPEN_FILES)
    if opening:
        return f"it opens files: it calls {opening[0][1:].removesuffix('64')}()"
    if _has_assembly(file.whole.bitcode):
        try:
            file.object_code()
        except CompileError:
            return "it contains assembly of another processor"
    return ""


def _has_assembly(bitcode: bytes) -> bool:
    """True if there is any that is not empty, as `asm("" ::: "memory")` is."""
    return _ASSEMBLY.search(raw_text(bitcode)) is not None


PASSING = functions_with(Fact.PASSING)
OPEN_FILES = frozenset(FOPEN)
_ASSEMBLY = re.compile(r'^module asm|\basm (?:[a-z]+ )*"[^"]', re.MULTILINE)


def _say_refused(path: Path, reason: str) -> str:
    return f"not linked: {short_path(path)}, because {reason}; its functions are stubs, unless you --link it"


@dataclass(frozen=True, slots=True)
class Linker:
    """What a unit may be linked with."""

    compiler: Compiler
    project: Project
    unit: Path
    program: Program  # of the unit alone
    recipe: Recipe  # of the unit

    def choose(self, interface: Interface, wanted: Sequence[str | Path], is_stubbed: Callable[[str], bool]) -> Links:
        """The files for one function: those in `wanted`. If `wanted` has "auto", or is empty and there is a database,
        also those that define what the function calls. "none" links nothing."""
        given = [_without_assembly(self.compile(word)) for word in wanted if isinstance(word, Path)]
        _check_duplicates(self.unit, self.program, given)
        linked = tuple(_cut(given, _wanted(self.program)))
        if "auto" not in wanted and (wanted or self.project.database is None):
            return Links(linked)
        models = MODELLED.keys() - {one.name for one in interface.missing_functions}
        called = [name for name in interface.undefined_functions if name not in models and not is_stubbed(name)]
        kept_out = {f"@{name}" for name in interface.undefined_functions if name not in called}
        stubs = {stub.name for stub in interface.stubs}
        found = list(self._find([*called, *_tables(interface)], given, kept_out, stubs))
        refused = {each.path: reason for each in found if (reason := why_stubbed(each))}
        files = (*linked, *(each for each in found if each.path not in refused))
        return Links(files, tuple(_say_refused(path, reason) for path, reason in refused.items()))

    def _find(
        self, missing: Collection[str], given: Sequence[CompiledFile], kept_out: Collection[str], stubs: Collection[str]
    ) -> Iterator[LinkedFile]:
        """The files to link automatically, the smallest first. A file is skipped if it does not compile, if it defines
        something a second time or something that is a stub or a model, or if it needs further files: a stub with any
        answer is better than code in which every function returns zero."""
        own = symbols_of(self.program)
        taken = own.union(kept_out, *(file.outline.defined for file in given))
        names = sorted(name for name in missing if f"@{name}" not in taken)
        data = set(_undefined_data(self.program))  # it must be the same object in both files
        kept = {*names, *replaceable_names(self.program), *data}
        provided = {*stubs, *data, *(name[1:] for name in own)}
        left = MOST_FUNCTIONS
        for cut in sorted((_cut_out(file, kept) for file in self._candidates(names, given)), key=_Cut.order):
            is_fresh = not taken & cut.whole.outline.defined
            if is_fresh and cut.outline.functions <= left and cut.is_closed(provided):
                left -= cut.outline.functions
                taken |= cut.whole.outline.defined
                yield cut.read()

    def _candidates(self, names: Sequence[str], given: Sequence[CompiledFile]) -> Iterator[CompiledFile]:
        """Files that define some of the names."""
        known = _program_files(self.project)
        passed = {self.unit.resolve(), *(file.path for file in given)}
        found: set[str] = set()
        for path, likely in find_definers(names, [file for file in known if file not in passed]):
            if found.issuperset(likely):  # two programs of one project may each have such a file: the first one counts
                continue
            try:
                file = self.compile(path)
            except (CompileError, UsageError):
                continue
            if not found.issuperset(here := {name for name in likely if _is_of_use(file.outline, f"@{name}")}):
                found |= here
                yield file

    def compile(self, path: Path) -> CompiledFile:
        if not path.is_file():
            raise UsageError(f"--link: there is no file {path}", hint="check the path", slug="no-such-file")
        recipes = self.project.recipes(path) if self.project.knows(path) else (self.recipe,)
        return _compiled(self.compiler, path.resolve(), recipes)


def _program_files(project: Project) -> list[Path]:
    """Those of the database, without tests that Tightrope wrote: these define stubs."""
    files = project.database.files if project.database else ()
    return [file for file in files if not (file.is_file() and is_ours(file))]


def find_needed(
    linker: Linker, programs: Sequence[Program], passed: Sequence[Path], given: Sequence[CompiledFile] = ()
) -> list[CompiledFile]:
    """Files of the project that these programs need, whole, and those that they need in turn."""
    provided = set[str]().union(*map(symbols_of, programs), *(each.outline.defined for each in given))
    waiting = {name for program in programs for name in _open_names(program, provided)}
    known = _program_files(linker.project)
    known = [each for each in known if each not in {linker.unit.resolve(), *passed, *(one.path for one in given)}]
    found: list[CompiledFile] = []
    while waiting:
        fresh = []
        for path, _ in find_definers(sorted(waiting), known):
            file = _compiled_if_it_can_be(linker, path)
            if file and not file.outline.defined & provided and file.outline.defined & {f"@{name}" for name in waiting}:
                provided |= file.outline.defined
                fresh.append(file)
        found += fresh
        waiting = {name for file in fresh for name in _open_names(file.outline.declared, provided)}
    return found


def _open_names(program: Program, provided: Collection[str]) -> Iterator[str]:
    for name in undefined_names(program):
        is_ours = name.startswith(("llvm.", "tightrope_"))
        if not (f"@{name}" in provided or is_ours or is_in_library(name)):
            yield name


def _compiled_if_it_can_be(linker: Linker, path: Path) -> CompiledFile | None:
    try:
        return linker.compile(path)
    except (CompileError, UsageError):
        return None


@lru_cache(maxsize=64)
def _compiled(compiler: Compiler, path: Path, recipes: tuple[Recipe, ...]) -> CompiledFile:
    """Compile a file, cached for the next function of the unit. Its `main` is renamed, because the tests define one."""
    bitcode, recipe = compile_by_recipe(compiler, path, recipes, PLAIN_CTYPE)
    outline = read_outline(bitcode)
    if "@main" not in outline.defined:
        return CompiledFile(path, compiler, recipe, bitcode, outline)
    further = (f"-Dmain=tightrope_main_of_{re.sub(r'[^0-9A-Za-z_]', '_', path.stem)}",)
    bitcode, _ = compile_by_recipe(compiler, path, (recipe,), (*PLAIN_CTYPE, *further))
    return CompiledFile(path, compiler, recipe, bitcode, read_outline(bitcode), further)


def forget_files() -> None:
    """To be called when files may have changed."""
    _compiled.cache_clear()
    defined_names.cache_clear()


def _without_assembly(file: CompiledFile) -> CompiledFile:
    """A file that the user names, without inline assembly of another processor: its statements are ignored."""
    if not find_foreign_assembly(file.compiler, raw_text(file.bitcode)):
        return file
    kept = (*file.recipe.flags.kept, *(f"-D{each}" for each in ASSEMBLY))
    return _compiled(file.compiler, file.path, (replace(file.recipe, flags=replace(file.recipe.flags, kept=kept)),))


def _cut(files: Sequence[CompiledFile], needed: set[str]) -> Iterator[LinkedFile]:
    """Files that the user names may also use each other."""
    for file in files:
        others = [other.outline.declared for other in files if other is not file]
        yield _cut_out(file, needed.union(*(_wanted(other) for other in others))).read()


@dataclass(frozen=True, slots=True)
class _Cut:
    """A file reduced to some of its symbols; it is not parsed yet, which is the expensive part."""

    whole: CompiledFile
    bitcode: bytes
    outline: Outline

    def order(self) -> tuple[int, str]:
        return self.outline.functions, str(self.whole.path)

    def is_closed(self, provided: Collection[str]) -> bool:
        """True when the file needs nothing from further files, not even from another linked file, which is reduced too.
        The written tests must define what the whole file needs: that must not be half a program."""
        return not _left_open(self.outline, provided) and len(self.whole.needs(provided)) <= MOST_LOOSE

    def read(self) -> LinkedFile:
        return LinkedFile(self.whole, self.bitcode, read_bitcode(self.bitcode)[0])


def _cut_out(file: CompiledFile, kept: Collection[str]) -> _Cut:
    bitcode = prune(file.bitcode, kept)
    return _Cut(file, bitcode, read_outline(bitcode))


def _left_open(outline: Outline, provided: Collection[str]) -> list[str]:
    names = undefined_names(outline.declared)
    return [name for name in names if not (name in provided or is_in_library(name) or name.startswith("llvm."))]


def symbols_of(program: Program) -> set[str]:
    """The symbols that other files can use, and must not define again."""
    return defined_functions(program) | defined_data(program)


def replaceable_names(program: Program) -> set[str]:
    """C names of what it defines and another file may define too: weak, common."""
    return {name[1:] for name in replaceable_symbols(program)}


def _wanted(program: Program) -> set[str]:
    """Names that another file may define for it: undefined and weak ones."""
    return {*undefined_names(program), *replaceable_names(program)}


def undefined_names(program: Program) -> Iterator[str]:
    """C names of what it needs from other files."""
    yield from (name[1:] for name, one in program.functions.items() if not one.is_defined)
    yield from (name[1:] for name, one in program.globals.items() if not one.is_defined)


def _tables(interface: Interface) -> Iterator[str]:
    """Data of other files whose values or size only those files define. A plain variable is an input instead."""
    for one in interface.globals:
        if not one.is_defined and (one.is_constant or one.name in interface.open_arrays):
            yield one.name


def _is_of_use(outline: Outline, name: str) -> bool:
    """True for functions and initialised tables; a table that is filled at run time is better an input."""
    data = outline.declared.globals.get(name)
    return name in outline.defined and (data is None or data.is_constant or data.initializer != "zeroinitializer")


def _undefined_data(program: Program) -> Iterator[str]:
    yield from (name[1:] for name, one in program.globals.items() if not one.is_defined)


def _check_duplicates(unit: Path, program: Program, files: Iterable[CompiledFile]) -> None:
    where: dict[str, Path] = dict.fromkeys(symbols_of(program), unit)
    for file in files:
        for name in sorted(file.outline.defined):
            if name in where:
                message = f"--link: `{name[1:]}` is defined in {where[name]} and in {file.path}"
                hint = "leave one of them out: a program has one definition of each function and global"
                raise UsageError(message, hint=hint, slug="defined-twice")
            where[name] = file.path
