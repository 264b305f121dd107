"""How written tests name a file of C, where another file has the same name.

can/util.c   ──▶  test_can_util_get.c         both are in one command
lin/util.c   ──▶  test_lin_util_get.c

can/util.c   ──▶  test_util_get.c             its tests were there first: they keep their name
lin/util.c   ──▶  test_lin_util_get.c         a later command
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tightrope.suite.case import file_stem
from tightrope.suite.folder import HEAD, INCLUDE

_HEAD = 1 << 14  # characters of a written test; the file that it includes is named there


def output_stems(files: Sequence[Path], output: Path) -> dict[Path, str]:
    """The name of each file in the names of its tests."""
    distinct = {Path(os.path.abspath(file)): file for file in files}
    written = _written_for(output)
    kept = {path: stem for path in distinct if (stem := _earlier_stem(path, written.get(path, {})))}
    everything = {*distinct, *written}
    stems: dict[Path, str] = {}
    for path in distinct:
        others = [other for other in everything if other != path and _word(other.stem) == _word(path.stem)]
        length = 1
        while length < len(path.parts) and any(_tail(path, length) == _tail(other, length) for other in others):
            length += 1
        stems[path] = kept.get(path) or _tail(path, length)
    return {file: stems[Path(os.path.abspath(file))] for file in files}


def _earlier_stem(path: Path, names: Mapping[str, str]) -> str:
    """The stem that tests of the file have already; '' if there are none."""
    for length in range(1, len(path.parts)):
        if any(file_stem(path, function, _tail(path, length)) == name for name, function in names.items()):
            return _tail(path, length)
    return ""


def _written_for(output: Path) -> dict[Path, dict[str, str]]:
    """By C file: the names of its written tests in the folder, and the function of each."""
    found: dict[Path, dict[str, str]] = {}
    for file, function, source in _written_tests(output):
        found.setdefault(source, {})[file.stem] = function
    return found


def _written_tests(output: Path) -> Iterator[tuple[Path, str, Path]]:
    for file in sorted(output.glob("test_*.c")):
        try:
            with open(file, encoding="utf-8", errors="replace") as stream:
                first = stream.readline(400)
                function = HEAD.match(first)
                source = INCLUDE.search(stream.read(_HEAD)) if function else None
        except OSError:
            continue
        unit = Path(os.path.abspath(output.resolve() / source[1])) if source else output
        if function and unit.is_file():
            yield file, function[2], unit


def _tail(path: Path, length: int) -> str:
    return _word("_".join((*path.parts[:-1], path.stem)[-length:]))


def _word(text: str) -> str:
    return re.sub(r"\W", "_", text)
