"""A cache: a folder of files, each named by the hash of everything that it depends on.

The cache only makes runs faster. If the folder or a file in it is damaged, it counts as missing and its content is
made again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tightrope.source.toolchain import can_write, private_folder

_KEPT = 64  # files; what is kept now is small and there are few kinds
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Cache:
    """Each file consists of the digest of its content, then the content: a damaged one is noticed and removed."""

    folder: Path

    def get(self, key: str) -> bytes | None:
        file = self.folder / key
        try:
            stored = file.read_bytes()
        except OSError:
            return None
        content = stored[_DIGEST:]
        if hashlib.sha256(content).digest() == stored[:_DIGEST]:
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
            files = sorted(self.folder.iterdir(), key=lambda file: file.stat().st_mtime)
            for file in files[:-_KEPT]:
                file.unlink(missing_ok=True)


def open_cache(environment: Mapping[str, str] | None = None) -> Cache:
    """In $XDG_CACHE_HOME/tightrope or ~/.cache/tightrope; where that cannot be written, a temporary folder."""
    given = os.environ if environment is None else environment
    base = given.get("XDG_CACHE_HOME") or (given.get("HOME") and f"{given['HOME']}/.cache")
    folder = Path(base) / "tightrope" if base else None
    if folder is None or not folder.is_absolute() or not can_write(folder):
        folder = private_folder("cache")
    return Cache(folder)


def cache_key(*parts: str | bytes) -> str:
    """One name for all the parts; their lengths are hashed too, so ("ab", "c") is not ("a", "bc")."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()
