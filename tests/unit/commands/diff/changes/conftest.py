"""Pairs of C functions, all read from one dump of each version: `read_pairs(folder, pairs)[7]` are both of pair 7.

A pair is the text of `f` before and after, with whatever it needs before it. `@` is another word in each pair, so that
pairs can stand in one file; `g` and `h` are there for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from tightrope.commands.diff.changes.change import Change
from tightrope.program.c_text.syntax import FunctionSyntax, read_syntax
from tightrope.source.preprocess import dump_syntax, preprocess
from tightrope.source.toolchain import find_compiler

PRELUDE = """
typedef unsigned long size_type;
int g(int); int h(int); void act(int); int printf(const char *, ...);
struct pair { int first; int second; struct pair *next; };
union either { int number; float real; };
enum colour { RED, GREEN, BLUE };
extern int shared, other; extern struct pair pair; extern int table[10];
"""


@pytest.fixture(scope="session")
def read_pairs() -> Callable[..., object]:
    return _read_pairs


@pytest.fixture(scope="session")
def say() -> Callable[[Change], str]:
    return _say


def _read_pairs(
    folder: Path, pairs: Sequence[tuple[str, str]]
) -> list[tuple[FunctionSyntax | None, FunctionSyntax | None]]:
    """Files whose names differ, as those of versions do, with the functions on other lines."""
    old = _read_all(folder / "old.c", [before for before, _ in pairs])
    new = _read_all(folder / "new.c", ["\n\n// moved\n" + after for _, after in pairs])
    return list(zip(old, new, strict=True))


def _read_all(file: Path, texts: Sequence[str]) -> list[FunctionSyntax | None]:
    numbered = (
        re.sub(r"\bf\b(?=\()", f"unit_{at:03}_", dedent(text)).replace("@", f"_{at:03}")
        for at, text in enumerate(texts)
    )
    file.write_text(PRELUDE + "\n".join(numbered))
    compiler, include = find_compiler(), f'#include "{file}"\n'
    preprocessed = preprocess(compiler, include)
    dump = dump_syntax(compiler, preprocessed, "unit_", is_preprocessed=True)
    plain = dump_syntax(compiler, include, "unit_")
    every = (read_syntax(f"unit_{at:03}_", preprocessed, dump, plain, str(file.parent)) for at in range(len(texts)))
    return [_with_lines(each, file.parent) for each in every]


def _with_lines(syntax: FunctionSyntax | None, folder: Path) -> FunctionSyntax | None:
    def read(name: str) -> list[bytes]:
        return (folder / name).read_bytes().split(b"\n")

    return syntax and replace(syntax, read=read)


def _say(change: Change) -> str:
    """`changed expression: 3 -> 5`, with the name where there is one."""
    name = f" {change.name}" if change.name and not change.name.startswith("unit_") else ""
    texts = [text for text in (change.old_text, change.new_text) if text]
    shown = " -> ".join(texts) if change.what == "changed" else "".join(texts)
    said = f"{change.what} {change.kind.value}{name}: {shown}"
    for pattern, word in ((r"unit_\d+_", "f"), (r"_\d{3}\b", "@"), (r"of line \d+", "of line N")):
        said = re.sub(pattern, word, said)
    return said
