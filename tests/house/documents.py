"""The examples in the pages: what is to be saved as a file, and commands with what they print.

A block ```c after a line that ends with "`name.c`:" is that file. A block ```console holds commands (`$ tightrope ...`)
and their standard output; a line of three dots stands for any lines. A block ```python holds a session with Python
(`>>> ...`), in which three dots stand for any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`([\w.-]+\.(?:c|h|json|toml|csv))`:\s*\Z")


@dataclass(frozen=True, slots=True)
class SavedFile:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    words: str
    output: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    text: str


def steps(page: Path) -> Iterator[SavedFile | Command | Session]:
    """What the page asks its reader to do, in order."""
    text = page.read_text(encoding="utf-8")
    for block in _FENCE.finditer(text):
        named = _FILE.search(text[: block.start()])
        if named:
            yield SavedFile(named[1], block[2])
        elif block[1] == "console":
            yield from _commands(block[2])
        elif block[1] == "python" and ">>> " in block[2]:
            yield Session(block[2])


def _commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        words, _, output = part.partition("\n")
        while words.endswith("\\"):
            more, _, output = output.partition("\n")
            words = words[:-1] + more
        yield Command(words, tuple(scrub(output)))


def scrub(output: str) -> list[str]:
    """Without what differs: the effort of the search, and whether gcc is there."""
    output = re.sub(r"from [\d,]+ runs? in \d+\.\d\d s$", "from # runs in # s", output, flags=re.MULTILINE)
    output = re.sub(r"^(\[\d+/\d+\] .*|\d+ functions.*)  \d+\.\d s$", r"\1  # s", output, flags=re.MULTILINE)
    output = re.sub(r"; gcov [\d.]+ counts .*$", "", output, flags=re.MULTILINE)
    return output.rstrip().splitlines()


def agree(expected: tuple[str, ...], printed: list[str]) -> bool:
    pattern = "".join("(?:.*\n)*" if line.strip() == "..." else f"{re.escape(line)}\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None
