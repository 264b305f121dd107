"""Files of a command, to be used on another machine: a *mirror* holds each at its path below another root.

    /proj/src/a.c      ->  ROOT/proj/src/a.c
    /proj/include/a.h  ->  ROOT/proj/include/a.h

Preprocessed text would be simpler to send, but its columns are not those of the source, and these are in the names of
objectives. So everything that the preprocessor reads is sent. Relative paths mean the same in a mirror. Absolute ones
get the root in front (`ROOT` stands for it until it is known), which is removed from all results.

Headers of the system are there on most machines, and belong to the C library that is there: those are used. Others
(of a library that is not installed there) are found after all others.
"""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import itertools
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from tightrope.source.toolchain import is_of_system, private_folder

ROOT = "@tightrope-root@"
SWITCH = "TIGHTROPE_MIRROR"  # in a process that works in a mirror: its root, and folders of headers to search last
_PLACES = "mirrors"
_END = ".git"  # nobody looks for the project's files above the mirror
Value = TypeVar("Value")


@dataclass(frozen=True)
class FileTree:
    """Files by their real paths, the symbolic links on the way to them, and folders; all paths are absolute."""

    files: tuple[tuple[str, bytes], ...]
    links: tuple[tuple[str, str], ...] = ()
    folders: tuple[str, ...] = ()
    written: tuple[tuple[str, str], ...] = ()  # files that were made for the mirror, with `ROOT` in them

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(repr(dataclasses.astuple(self)).encode()).hexdigest()


def gather(paths: Iterable[Path], folders: Iterable[Path], written: Sequence[tuple[str, str]] = ()) -> FileTree:
    """The files as they are now; those that cannot be read are left out, as they are where nobody reads them."""
    links: dict[str, str] = {}
    passed: dict[str, None] = {}
    files: dict[str, bytes] = {}
    for path in paths:
        real = _real(os.path.abspath(path) if ".." not in path.parts else str(path.absolute()), links, passed)
        if real not in files:
            try:
                files[real] = Path(real).read_bytes()
            except OSError:
                continue
    for folder in folders:
        passed[_real(str(folder.absolute()), links, passed)] = None
    made = [(_real(path, links, passed), text) for path, text in written]
    return FileTree(tuple(sorted(files.items())), tuple(sorted(links.items())), tuple(sorted(passed)), tuple(made))


def _real(path: str, links: dict[str, str], passed: dict[str, None]) -> str:
    """The path without links and `..`; notes the links, and the folders that `..` leaves."""
    here = os.sep
    for part in Path(path).parts[1:]:
        if part == os.pardir:
            passed[here] = None
            here = os.path.dirname(here)
            continue
        there = os.path.join(here, part)
        if os.path.islink(there):
            links[there] = os.readlink(there)
            there = _real(os.path.join(here, links[there]), links, passed)
        here = there
    return here


def unpack(tree: FileTree, root: Path) -> None:
    """Add the files to the mirror. What this machine has of the system is not in it."""
    _make_folder(root / _END)
    for folder in tree.folders:
        _make_folder(_below(root, folder))
    for path, content in tree.files:
        if not (is_of_system(Path(path)) and os.path.exists(path)):
            _make_folder(_below(root, path).parent)
            _below(root, path).write_bytes(content)
    for path, text in tree.written:
        _make_folder(_below(root, path).parent)
        _below(root, path).write_text(put_root(text, root), encoding="utf-8")
    for path, target in tree.links:
        link = _below(root, path)
        _make_folder(link.parent)
        if not os.path.lexists(link):
            link.symlink_to(f"{root}{target}" if os.path.isabs(target) else target)


def write_files(files: Iterable[tuple[str, bytes]], root: Path) -> None:
    """Write files to the mirror as they are, by their absolute paths."""
    for path, content in files:
        _make_folder(_below(root, path).parent)
        _below(root, path).write_bytes(content)


# -- places for mirrors

_locks: list[BinaryIO] = []  # of this process


def take_place() -> Path:
    """An empty folder for the mirror of this process. Its name is the same in the next command: what the compiler
    has made before is found by the paths of its files."""
    base = private_folder(_PLACES).resolve()
    for number in itertools.count():
        lock = _lock(base / f"{number}.lock")
        if lock is not None:
            _locks.append(lock)
            shutil.rmtree(base / str(number), ignore_errors=True)
            return base / str(number)
    raise AssertionError


def sweep_places() -> None:
    """Remove the mirrors of processes that have ended."""
    base = private_folder(_PLACES)
    for file in base.glob("*.lock"):
        lock = _lock(file)
        if lock is not None:
            shutil.rmtree(file.with_suffix(""), ignore_errors=True)
            lock.close()


def _lock(file: Path) -> BinaryIO | None:
    """None if another process has it."""
    lock = file.open("wb")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock


def _below(root: Path, path: str) -> Path:
    return Path(f"{root}{path}")


def _make_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)


# -- paths


def add_root(value: Value) -> Value:
    """The value with `ROOT` before each absolute path in it; texts stay as they are."""
    found: Value = _mapped(value, lambda text: text, lambda path: Path(f"{ROOT}{path}") if path.is_absolute() else path)
    return found


def put_root(value: Value, root: Path) -> Value:
    return _replaced(value, ROOT, str(root))


def remove_root(value: Value, root: Path) -> Value:
    return _replaced(value, str(root), "")


def _replaced(value: Value, old: str, new: str) -> Value:
    def replace(text: str) -> str:
        return text.replace(old, new)

    found: Value = _mapped(value, replace, lambda path: Path(replace(str(path))))
    return found


def _mapped(value: Any, text: Callable[[str], str], path: Callable[[Path], Path]) -> Any:
    """The value with every text and every path in it mapped."""
    if isinstance(value, str) and type(value) is str:
        return text(value)
    if isinstance(value, Path):
        return path(value)
    if type(value) in (tuple, list):
        return type(value)(_mapped(each, text, path) for each in value)
    if isinstance(value, dict):
        return {_mapped(key, text, path): _mapped(each, text, path) for key, each in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        old = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
        new = {name: _mapped(each, text, path) for name, each in old.items()}
        return dataclasses.replace(value, **new) if new != old else value
    return value


def is_system_folder(folder: str) -> bool:
    """Whether files in it are there on every machine, or belong to it."""
    return is_of_system(Path(folder, "any"))


# -- in a process that works in a mirror


def enter_mirror(root: Path, here: str, searched: Iterable[str]) -> None:
    """From now on, this process works in the mirror. `searched`: folders of headers of the system."""
    folders = [str(_below(root, each)) for each in searched if _below(root, each).is_dir()]
    os.environ[SWITCH] = os.pathsep.join([str(root), *folders])
    folder = _below(root, here)
    _make_folder(folder)
    os.chdir(folder)
    os.environ["PWD"] = str(folder)


def mirror_flags() -> Iterator[str]:
    """`__FILE__` is what it would be without the mirror; headers that this machine does not have are found."""
    root, *folders = os.environ.get(SWITCH, "").split(os.pathsep)
    if root:
        yield f"-fmacro-prefix-map={root}{os.sep}={os.sep}"
    for each in folders:
        yield from ("-idirafter", each)


def outside_path(path: str) -> str:
    """The path without the root of the mirror, if there is one."""
    return path.removeprefix(os.environ.get(SWITCH, "").split(os.pathsep)[0])
