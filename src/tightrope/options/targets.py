"""What to test: `FILE.c` (every function defined in it), `FILE.c:FUNCTION`, or what stands for many files: a folder, a
pattern, or a compilation database (units/target_files.py finds these files)."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import NothingMatchedError, UsageError

MOST_NAMED = 3  # files in a message
_NAMED = re.compile(r"(?P<file>.+):(?P<function>[A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Target:
    file: Path
    function: str = ""  # '': every function defined in the file
    is_found: bool = False  # by looking into a folder, a pattern or a database: the user did not name this file

    def __str__(self) -> str:
        return f"{self.file}:{self.function}" if self.function else str(self.file)


def read_target(text: str) -> Target:
    """`sort.c:merge` -> the function merge of sort.c, unless a file with that name exists."""
    named = _NAMED.fullmatch(text)
    if named and not Path(text).exists():
        return Target(Path(named["file"]), named["function"])
    return Target(Path(text))


def check_target(target: Target, *, may_be_many: bool) -> None:
    """Refuse what cannot be a C file with functions, or stand for many, before anything else starts."""
    _check_colon(target)
    if may_be_many and not target.function and (target.file.is_dir() or is_pattern(target.file)):
        return
    if not check_file(target.file).strip():
        raise NothingMatchedError(f"{target.file} is empty: there is no function to test", slug="empty-file")


def is_pattern(file: Path) -> bool:
    """`src/*.c`, in quotes: the shell has left it to us."""
    return any(letter in str(file) for letter in "*?[") and not file.exists()


def _check_colon(target: Target) -> None:
    """`sort.c:` and `:merge` name one half only, unless there are such files."""
    text = str(target)
    if target.function or target.file.exists():
        return
    hint = "write FILE.c:FUNCTION, or FILE.c for every function in it"
    if text.startswith(":"):
        raise UsageError(f"{text}: no file is named before `:`", hint=hint, slug="usage")
    if text.endswith(":"):
        raise UsageError(f"{text} no function is named after `:`", hint=hint, slug="usage")


def check_file(file: Path) -> bytes:
    """Read the file; refuse what cannot be a C file."""
    if not file.exists():
        raise UsageError(f"there is no file {file}", hint=_near_files(file), slug="no-such-file")
    if file.is_dir():
        raise UsageError(
            f"{file} is a folder", hint=f"name a C file in it: {_some_c_file(file)}", slug="target-is-a-folder"
        )
    try:
        return file.read_bytes()
    except OSError as problem:
        reason = os.strerror(problem.errno) if problem.errno else str(problem)
        raise UsageError(f"{file} cannot be read: {reason}", hint="check its permissions", slug="unreadable") from None


def choose_functions(
    defined: Sequence[tuple[Target, Sequence[str]]],
    wanted: Sequence[str] = (),
    included: Sequence[Sequence[str]] = (),
) -> tuple[tuple[Target, tuple[str, ...]], ...]:
    """The functions to test, target by target, in the order of each file.

    `defined` holds the functions that each target's file defines, `wanted` the names given by `-f`:
    each of them must be in one of the files at least. `included` are further functions of each, which files that it
    includes define: these are chosen by name only.
    """
    everything = [name for _, names in defined for name in names]
    further = included or [()] * len(defined)
    for name in wanted:
        if name not in everything and not any(name in names for names in further):
            files = list(dict.fromkeys(str(target.file) for target, _ in defined))
            more = f" and {len(files) - MOST_NAMED} more files" if len(files) > MOST_NAMED else ""
            raise _no_such_function(name, f"{', '.join(files[:MOST_NAMED])}{more}", everything, len(files))
    return tuple(
        (target, _choose(target, wanted, names, more)) for (target, names), more in zip(defined, further, strict=True)
    )


def _choose(target: Target, wanted: Sequence[str], defined: Sequence[str], included: Sequence[str]) -> tuple[str, ...]:
    names = {*wanted, *([target.function] if target.function else [])}
    if not defined and not (names and included):
        hint = "name a C file with the function's body in it"
        raise NothingMatchedError(f"{target.file} defines no function", hint=hint, slug="no-function")
    if target.function and target.function not in (*defined, *included):
        raise _no_such_function(target.function, str(target.file), [*defined, *included])
    return tuple(name for name in (*defined, *included) if name in names or (not names and name in defined))


def _no_such_function(name: str, where: str, defined: Sequence[str], files: int = 1) -> NothingMatchedError:
    message = f"no function `{name}` is defined in {where}"
    hint = near_names(name, defined, "they define" if files > 1 else "it defines")
    return NothingMatchedError(message, hint=hint, slug="no-such-function")


def near_names(name: str, defined: Sequence[str], lead: str = "it defines") -> str:
    """A sentence with the nearest names, or with the first few when none is near."""
    near = difflib.get_close_matches(name, list(defined), n=3, cutoff=0.5)
    near += [each for each in defined if name.lower() in each.lower() and each not in near][:3]
    if near:
        return f"did you mean {' or '.join(near)}?"
    shown = ", ".join(f"`{each}`" for each in defined[:8]) + (", ..." if len(defined) > 8 else "")
    return f"{lead} {shown}"


def _near_files(file: Path) -> str:
    folder = file.parent
    names = sorted(each.name for each in folder.iterdir()) if folder.is_dir() else []
    near = difflib.get_close_matches(file.name, names, n=1)
    if near:
        return f"did you mean {folder / near[0]}?"
    return "check the path" if folder.is_dir() else f"there is no folder {folder}"


def _some_c_file(folder: Path) -> str:
    found = sorted(folder.glob("*.c"))
    return str(found[0]) if found else f"{folder / 'FILE.c'}"
