"""The output folder: files are written whole or not at all, and a user's file is never overwritten."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tightrope.errors import UsageError
from tightrope.suite.seal import SealState, has_place_for_seal, seal, seal_state_of

MARKER = "Written by Tightrope"
_JSON_MARKER = '{"schema": '
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
HEAD = re.compile(rf"(/\* {MARKER}: tests of `(\w+)` in )(.+)(\. Generating again )")
"""The first line of a C file with tests: its function is group 2, the name of the unit's file group 3."""


def head_of_tests(function: str, unit: str) -> str:
    return f"/* {MARKER}: tests of `{function}` in {unit}. Generating again keeps these tests."


@contextmanager
def prepared_folder(folder: Path) -> Iterator[None]:
    """The folder is there; when the work comes to nothing, it is gone again unless it was there before."""
    is_new = not folder.exists()
    prepare_folder(folder)
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):  # something was written to it
                folder.rmdir()
        raise


def prepare_folder(folder: Path) -> None:
    """Make the folder and check, before any work, that files can be written there."""
    for each in (folder, *folder.parents):
        if each.exists() and not each.is_dir():
            raise UsageError(f"{each} is a file, not a folder", hint="choose another with -o", slug="output-folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise _cannot_write(folder, problem) from None


def check_file(file: Path, mark: str = MARKER, *, has_seal: bool = False) -> None:
    """Refuse to replace a file that Tightrope did not write: `mark` is in the first line of those that it writes. Files
    that people may edit have a seal, and are not replaced once they have."""
    if file.is_dir():
        raise UsageError(f"{file} is a folder", hint="name a file", slug="output-file")
    if file.is_file() and not is_ours(file, mark):
        raise UsageError(
            f"{file} exists and was not written by Tightrope: it is left alone",
            hint="move it away, or write to another folder with -o",
            slug="output-exists",
        )
    if has_seal and is_edited(file):
        raise UsageError(
            f"{file} was edited since Tightrope wrote it: it is left alone",
            hint=f"move it away, or write to another folder with -o; `--suite {file}` keeps its tests there",
            slug="output-edited",
        )


def is_edited(file: Path) -> bool:
    """True for a file with content that is not, or no longer, what Tightrope wrote."""
    return file.is_file() and file.stat().st_size > 0 and seal_state_of(file) is not SealState.INTACT


def write_file(file: Path, text: str, mark: str = MARKER) -> None:
    """Write the text under its name in one step, so that no half-written file is ever seen; with its hash, if its head
    has a place for it."""
    text = seal(text)
    check_file(file, mark, has_seal=has_place_for_seal(text))
    _write_whole(file, (text,))


def _write_whole(file: Path, pieces: Iterable[str]) -> None:
    file = file.resolve()  # a link stays a link
    if file.exists() and not file.is_file():  # a device or a pipe: there is nothing to replace
        with open(file, "w", encoding="utf-8") as stream:
            stream.writelines(pieces)
        return
    try:
        descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as problem:
        raise _cannot_write(file, problem) from None
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(pieces)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, file)
    except OSError as problem:
        Path(temporary).unlink(missing_ok=True)
        raise _cannot_write(file, problem) from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """Files as they are at one moment."""

    texts: Mapping[Path, str]

    @classmethod
    def of(cls, files: Iterable[str]) -> KeptFiles:
        return cls({Path(file): Path(file).read_text(encoding="utf-8") for file in files if Path(file).is_file()})

    def put_back(self) -> None:
        """As they were, whatever has replaced them meanwhile."""
        for file, text in self.texts.items():
            if not file.is_file() or file.read_text(encoding="utf-8", errors="replace") != text:
                write_file(file, text)


@contextmanager
def kept_files(files: Iterable[str]) -> Iterator[Callable[[], None]]:
    """Call what is given to put these files back as they are now. When the work comes to nothing, they are put back,
    too."""
    kept = KeptFiles.of(files)
    try:
        yield kept.put_back
    except BaseException:
        kept.put_back()
        raise


def write_output(to: str, text: str, mark: str = MARKER) -> None:
    """Write to a file, or to standard output for `-`."""
    if to == "-":
        sys.stdout.write(text)
    else:
        write_file(Path(to), text, mark)


def write_pieces(to: str, pieces: Iterable[str], mark: str = MARKER) -> None:
    """The same for a long text that is never in memory as a whole, and has no place for a hash."""
    if to == "-":
        sys.stdout.writelines(pieces)
    else:
        check_file(Path(to), mark)
        _write_whole(Path(to), pieces)


def remove_others(folder: Path, kept: Collection[Path]) -> None:
    """Delete what Tightrope wrote into a folder of its own when the suite was another one."""
    for file in sorted(folder.iterdir()):
        if file not in kept and file.is_file() and is_ours(file) and not is_edited(file):
            file.unlink()


def anchor_includes(text: str, folder: Path) -> str:
    """The text with its `#include "..."` as they are found from `folder`.

    A compiler looks beside the file first and only then along -I: in a temporary folder, `../unit.c` might be anything.
    """

    def anchor(found: re.Match[str]) -> str:
        path = os.path.normpath(folder.resolve() / found[1])  # no link is followed: the unit's own includes start there
        return f'#include "{path}"' if os.path.isfile(path) else found[0]

    return INCLUDE.sub(anchor, text)


def is_ours(file: Path, mark: str = MARKER) -> bool:
    """A file with nothing in it (or an empty JSON list), or one whose first line says that Tightrope wrote it."""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            first = stream.readline(400)
    except OSError as problem:
        raise _cannot_write(file, problem) from None
    return first in ("", "[]\n") or mark in first or (first.startswith(_JSON_MARKER) and '"tightrope"' in first)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _cannot_write(place: Path, problem: OSError) -> UsageError:
    reason = problem.strerror or str(problem)
    return UsageError(f"cannot write to {place}: {reason}", hint="choose another folder with -o", slug="output-folder")
