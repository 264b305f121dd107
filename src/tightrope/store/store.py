"""A file of SQLite that holds entries, each named by a hash of everything that it depends on.

The store only makes runs faster: whatever is missing is made again. A process may be killed at any moment, and several
may use the store at once (a write-ahead log). One that is damaged, or that another version of Tightrope wrote, is
moved aside, and a new one is begun; only `clear` deletes it.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = 1  # of the tables; other versions are moved aside
FILE = "results.sqlite"
MOST_VERSIONS = 8  # entries of one name that are kept, the newest
PATIENCE = 30.0  # seconds to wait for another process that writes
BESIDE = ("", "-wal", "-shm")  # the files that make up one database
_TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    kind TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
    value BLOB NOT NULL, digest BLOB NOT NULL, written REAL NOT NULL,
    PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_name ON entries (kind, name, written);
"""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a store holds: entries and bytes by kind."""

    file: Path
    entries: dict[str, int]
    bytes: dict[str, int]
    oldest: float  # seconds since 1970; 0 if it is empty
    aside: tuple[Path, ...] = ()  # files of stores that were moved aside


class Store:
    """Use `opened_store`. Entries are compressed, and checked by a digest when they are read."""

    def __init__(self, file: Path, tell: Tell) -> None:
        self.file = file
        self._tell = tell
        self._connection: sqlite3.Connection | None = _connect(file, tell)

    def get(self, kind: str, key: str) -> bytes | None:
        row = self._ask("SELECT value, digest FROM entries WHERE kind = ? AND key = ?", kind, key)
        return self._content(*row) if row else None

    def latest(self, kind: str) -> Iterator[tuple[str, bytes]]:
        """The newest entry of each name, whatever its key, in the order of the names."""
        for name in self._names(kind):
            words = "SELECT value, digest FROM entries WHERE kind = ? AND name = ? ORDER BY written DESC LIMIT 1"
            row = self._ask(words, kind, name)
            content = self._content(*row) if row else None
            if content is not None:
                yield name, content

    def _names(self, kind: str) -> list[str]:
        return [name for (name,) in self._rows("SELECT DISTINCT name FROM entries WHERE kind = ? ORDER BY name", kind)]

    def put(self, kind: str, key: str, name: str, value: bytes) -> None:
        row = (kind, key, name, zlib.compress(value, 1), hashlib.sha256(value).digest(), time.time())
        self._ask("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)", *row)
        newest = "SELECT key FROM entries WHERE kind = ? AND name = ? ORDER BY written DESC LIMIT ?"
        older = f"DELETE FROM entries WHERE kind = ? AND name = ? AND key NOT IN ({newest})"
        self._ask(older, kind, name, kind, name, MOST_VERSIONS)

    def contents(self) -> Contents:
        words = "SELECT kind, COUNT(*), SUM(LENGTH(value)), MIN(written) FROM entries GROUP BY kind ORDER BY kind"
        rows = self._rows(words)
        counts, sizes = {row[0]: row[1] for row in rows}, {row[0]: row[2] for row in rows}
        aside = sorted(self.file.parent.glob(f"{self.file.name}.*.aside*"))
        return Contents(self.file, counts, sizes, min((row[3] for row in rows), default=0.0), tuple(aside))

    def clear(self) -> None:
        """Forget everything, also what was moved aside."""
        self._ask("DELETE FROM entries")
        self._ask("VACUUM")
        for each in self.contents().aside:
            each.unlink(missing_ok=True)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _content(self, value: bytes, digest: bytes) -> bytes | None:
        with suppress(zlib.error):
            content = zlib.decompress(value)
            if hashlib.sha256(content).digest() == digest:
                return content
        self._set_aside("an entry is damaged")
        return None

    def _ask(self, words: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._rows(words, *values)), None)

    def _rows(self, words: str, *values: object) -> list[tuple[Any, ...]]:
        """One statement, which is its own transaction. A store that cannot be used is as one that holds nothing."""
        if self._connection is None:
            return []
        try:
            return list(self._connection.execute(words, values))
        except sqlite3.OperationalError as problem:  # full disk, another process that writes for long
            self._tell(f"the store {self.file} cannot be used: {problem}")
            self.close()
        except sqlite3.DatabaseError as problem:
            self._set_aside(str(problem))
        return []

    def _set_aside(self, why: str) -> None:
        self.close()
        _move_aside(self.file, why, self._tell)
        self._connection = _connect(self.file, self._tell)


@contextmanager
def opened_store(folder: Path, tell: Tell) -> Iterator[Store]:
    store = Store(folder / FILE, tell)
    try:
        yield store
    finally:
        store.close()


def _connect(file: Path, tell: Tell) -> sqlite3.Connection | None:
    """None, with a message, where no store can be written: the run goes on without."""
    try:
        _prepare_folder(file.parent)
        return _open(file)
    except _OtherFormatError as problem:
        _move_aside(file, str(problem), tell)
    except sqlite3.OperationalError as problem:
        tell(f"the store {file} cannot be used: {problem}")
        return None
    except sqlite3.DatabaseError as problem:
        _move_aside(file, str(problem), tell)
    except OSError as problem:
        tell(f"the store {file} cannot be used: {problem.strerror}")
        return None
    try:
        return _open(file)
    except (sqlite3.Error, _OtherFormatError) as problem:
        tell(f"the store {file} cannot be used: {problem}")
        return None


class _OtherFormatError(Exception):
    pass


def _open(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (format_,) = connection.execute("PRAGMA user_version").fetchone()
        if format_ not in (0, FORMAT):
            raise _OtherFormatError("another version of Tightrope wrote it")
        connection.executescript(_TABLES)
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare_folder(folder: Path) -> None:
    """The folder is no part of the user's project: git is told to ignore it."""
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def _move_aside(file: Path, why: str, tell: Tell) -> None:
    number = next(number for number in range(1, 10_000) if not _aside(file, number).exists())
    for ending in BESIDE:
        with suppress(OSError):
            os.replace(f"{file}{ending}", f"{_aside(file, number)}{ending}")
    tell(f"the store {file} was moved to {_aside(file, number).name}: {why}; a new one is begun")


def _aside(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}.{number}.aside")
