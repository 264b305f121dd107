"""What compilers say when they fail, in our words: whose fault it is, where it is, and what to do next."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tightrope.errors import CompileError, LinkError, UnknownFlagError
from tightrope.location import Location


def clean_messages(text: str, folder: Path) -> str:
    """The compiler's messages without what does not concern the user: its program name, our temporary folder, and
    attributes that are ignored because we gave them another name, which a remark says."""
    lines = text.replace(f"{folder}{os.sep}", "").splitlines()
    said = "\n".join(line for line in lines if not line.startswith("zig: warning:"))
    others = _RENAMED.sub("", said)
    return (_COUNTED.sub("", others) if others != said else said).strip("\n")


_RENAMED = re.compile(
    r"^.*: warning: unknown attribute 'tightrope_.*"
    r"(?:\n(?!\S.*:\d+:\d+: (?:warning|(?:fatal )?error): |\d+ warning).*)*\n?",
    re.MULTILINE,
)
_COUNTED = re.compile(r"^\d+ warnings? generated\.\n?", re.MULTILINE)
_IN_SOURCE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: ", re.MULTILINE)
_LINKER = re.compile(
    r"undefined (?:reference to|symbol)|duplicate symbol|multiple definition|cannot find -l|unable to find .* library"
)
# zig: error: unknown clang option: "-fnope"      clang: error: unknown argument: '-fnope'
_REFUSED = re.compile(
    r"""error:\ (?:unknown\ clang\ option:|unknown\ argument:?|unsupported\ option|unsupported\ argument
        |unsupported\ (?:linker|preprocessor)\ arg:|invalid\ value\ '[^']*'\ in|unknown\ target\ CPU|unknown\ CPU:
        |argument\ to|invalid\ argument|unable\ to\ load\ plugin|unknown\ target\ triple|invalid\ integral\ value)
        \ *["']?(?P<flag>[^"'\s;]*)""",
    re.VERBOSE,
)


def explain_failure(said: str, shown: str) -> CompileError | UnknownFlagError:
    """The error that explains why the compiler failed on the file `shown`, from its messages.

    A place in a source file means that the C is wrong (exit 4). Without one, a rejected flag means a
    wrong command line or database (exit 2): the compiler has not read the C at all.
    """
    place = _IN_SOURCE.search(said)
    if place:
        location = Location(place["file"], int(place["line"]), int(place["column"]))
        hint = _next_step(said)
        return CompileError(f"{shown} does not compile", diagnostics=said, location=location, hint=hint)
    refused = _REFUSED.search(said)
    if refused:
        hint = "check the flags after `--` or in the compilation database; they must be flags of clang"
        message = f"the compiler rejects the flag {refused['flag']}"
        return UnknownFlagError(message, flag=refused["flag"], hint=hint, diagnostics=said)
    if _LINKER.search(said):
        hint = "give the missing library or object after `--`, as in `-- -lfoo helper.o`"
        return LinkError(f"{shown} does not link", diagnostics=said, hint=hint)
    return CompileError(f"{shown} does not compile", diagnostics=said or "the compiler gave no reason")


def _next_step(said: str) -> str:
    if re.search(r"^ *\d+ \| .*\w +@ *(?:0x|\w|\")", said, re.MULTILINE):
        macro = "#define AT(place) @ place"
        return f"`@ ADDRESS` is no C: write `{macro}` under `#ifndef AT`, and ignore it with --define-away 'AT(...)'"
    missing = re.search(r"error: '([^']+)' file not found", said)
    if missing:
        return f"tell where {missing[1]} is: `-- -I FOLDER`, or `-p FOLDER` with the project's compile_commands.json"
    return "compile it with the flags of its own build: after `--`, or from compile_commands.json with -p"
