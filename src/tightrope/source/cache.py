"""A cache: a folder of files, each named by the hash of everything that it depends on.

The cache only makes runs faster. If the folder or a file in it is damaged, it counts as missing and its content is
made again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tightrope.source.toolchain import can_write, private_folder

# Parts of the cache: how many files each keeps.
_MOST = {
    "": 64,  # the runtime, models of the library: few kinds
    "calls": 512,  # recorded calls of the compiler
    "compiled": 4096,  # results of the compiler
}
_MOST_BYTES = 256 << 20  # of one part
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Cache:
    """Each file consists of the digest of its content, then the content: a damaged one is noticed and removed."""

    folder: Path
    most: int = _MOST[""]

    def get(self, key: str) -> bytes | None:
        file = self.folder / key
        try:
            stored = file.read_bytes()
        except OSError:
            return None
        content = stored[_DIGEST:]
        if hashlib.sha256(content).digest() == stored[:_DIGEST]:
            with suppress(OSError):
                os.utime(file)  # the oldest are forgotten
            return content
        with suppress(OSError):
            file.unlink()
        return None

    def put(self, key: str, content: bytes) -> None:
        """Store the content in another file, then rename that one, so that a reader sees all of it or nothing."""
        try:
            handle, name = tempfile.mkstemp(dir=self.folder)
        except OSError:
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(name, self.folder / key)
        except OSError:
            with suppress(OSError):
                os.unlink(name)
        if zlib.crc32(key.encode()) % (self.most // _MOST[""]) == 0:  # to look at thousands of files takes a while
            self._forget_the_oldest()

    def remember(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What is stored under the key; else what `make` returns, stored."""
        content = self.get(key)
        if content is None:
            content = make()
            self.put(key, content)
        return content

    def _forget_the_oldest(self) -> None:
        with suppress(OSError):
            found = [(each.stat(), each.path) for each in os.scandir(self.folder) if each.is_file()]
            size = 0
            for number, (state, file) in enumerate(sorted(found, key=lambda row: -row[0].st_mtime_ns), 1):
                size += state.st_size
                if number > self.most or size > _MOST_BYTES:
                    Path(file).unlink(missing_ok=True)


def open_cache(part: str = "", environment: Mapping[str, str] | None = None) -> Cache:
    """In $XDG_CACHE_HOME/tightrope or ~/.cache/tightrope; where that cannot be written, a temporary folder."""
    given = os.environ if environment is None else environment
    base = given.get("XDG_CACHE_HOME") or (given.get("HOME") and f"{given['HOME']}/.cache")
    folder = Path(base) / "tightrope" / part if base else None
    if folder is None or not folder.is_absolute() or not can_write(folder):
        folder = private_folder(f"cache-{part}" if part else "cache")
    return Cache(folder, _MOST[part])


Stamp = tuple[str, int, int]  # a file, its size and the time of its last change; -1 if there is none


def stamp_of(file: str) -> Stamp:
    """Tells whether a file that nobody edits, such as a header of the system, is still the same."""
    try:
        found = os.stat(file)
    except OSError:
        return file, -1, -1
    return file, found.st_size, found.st_mtime_ns


def are_current(stamps: Iterable[Sequence[str | int]]) -> bool:
    return all(stamp_of(str(each[0])) == tuple(each) for each in stamps)


def cache_key(*parts: str | bytes) -> str:
    """One name for all the parts; their lengths are hashed too, so ("ab", "c") is not ("a", "bc")."""
    whole = _whole(parts)
    if whole is None:
        parts = tuple(part.encode() if isinstance(part, str) else part for part in parts)
        whole = b"".join(parts)  # type: ignore[arg-type]  # they are bytes now
    lengths = array("Q", [len(parts), *map(len, parts)])
    return hashlib.sha256(lengths.tobytes() + whole).hexdigest()


def _whole(parts: Sequence[str | bytes]) -> bytes | None:
    """All parts in one, if their lengths in bytes are those in characters. Calls of a compiler have hundreds of parts:
    they are put together before they become bytes."""
    try:
        text = "".join(parts)  # type: ignore[arg-type]  # else there is a TypeError
    except TypeError:
        return None
    return text.encode() if text.isascii() else None
