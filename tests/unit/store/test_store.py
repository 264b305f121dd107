"""The store keeps what it was given, or nothing: never something else."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from tightrope.store.store import FILE, MOST_VERSIONS, Store, opened_store


@pytest.fixture
def told() -> list[str]:
    return []


def test_what_is_put_is_found_again(tmp_path, told) -> None:
    with opened_store(tmp_path / "cache", told.append) as store:
        assert store.get("unit", "a") is None
        store.put("unit", "a", "door.c:step", b"first" * 100)
        store.put("unit", "b", "door.c:step", b"second")
    with opened_store(tmp_path / "cache", told.append) as store:
        assert store.get("unit", "a") == b"first" * 100
        assert store.get("file", "a") is None
        assert list(store.latest("unit")) == [("door.c:step", b"second")]
        assert list(store.latest("other")) == []
        assert store.contents().entries == {"unit": 2}
        store.clear()
        assert store.contents().entries == {}
    assert (tmp_path / "cache/.gitignore").read_text() == "*\n"
    assert told == []


def test_the_last_one_counts(tmp_path, told) -> None:
    with opened_store(tmp_path, told.append) as store:
        store.put("unit", "a", "f", b"one")
        store.put("unit", "a", "f", b"other")
        assert store.get("unit", "a") == b"other"


def test_only_some_versions_of_a_function_are_kept(tmp_path, told) -> None:
    with opened_store(tmp_path, told.append) as store:
        store.put("unit", "other", "g", b"g")
        for number in range(MOST_VERSIONS + 2):
            store.put("unit", f"a{number}", "f", str(number).encode())
        found = [store.get("unit", f"a{number}") for number in range(MOST_VERSIONS + 2)]
        assert found[:2] == [None, None]
        assert found[2:] == [str(number).encode() for number in range(2, MOST_VERSIONS + 2)]
        assert store.get("unit", "other") == b"g"


def spoil_file(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)


def spoil_pages(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    file.write_bytes(content)


def spoil_entry(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE entries SET value = x'00'")
    connection.close()


def of_another_version(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize("spoil", [spoil_file, spoil_pages, spoil_entry, of_another_version])
def test_a_damaged_store_is_moved_aside_and_begun_again(tmp_path, told, spoil) -> None:
    with opened_store(tmp_path, told.append) as store:
        store.put("unit", "a", "f", os.urandom(20_000))
    spoil(tmp_path / FILE)
    with opened_store(tmp_path, told.append) as store:
        assert store.get("unit", "a") is None
        store.put("unit", "a", "f", b"new")
        assert store.get("unit", "a") == b"new"
    assert len(told) == 1
    assert "a new one is begun" in told[0]
    assert (tmp_path / f"{FILE}.1.aside").exists()


def test_without_a_folder_to_write_to_the_run_goes_on(tmp_path, told) -> None:
    (tmp_path / "file").write_text("")
    with opened_store(tmp_path / "file" / "cache", told.append) as store:
        store.put("unit", "a", "f", b"x")
        assert store.get("unit", "a") is None
        assert store.contents().entries == {}
    assert len(told) == 1


def fill(folder: str, name: str, count: int) -> None:
    with opened_store(Path(folder), print) as store:
        for number in range(count):
            key = f"{name}{number}"
            store.put("unit", key, key, key.encode() * 50)


def test_two_processes_at_once(tmp_path, told) -> None:
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=fill, args=(str(tmp_path), name, 100)) for name in "ab"]
    for each in others:
        each.start()
    for each in others:
        each.join()
    with opened_store(tmp_path, told.append) as store:
        for name in "ab":
            assert all(store.get("unit", f"{name}{n}") == f"{name}{n}".encode() * 50 for n in range(100))


def test_kill_at_any_moment(tmp_path, told) -> None:
    context = multiprocessing.get_context("spawn")
    for moment in range(3):
        process = context.Process(target=fill, args=(str(tmp_path), f"p{moment}_", 100_000))
        process.start()
        while not _has(tmp_path, f"p{moment}_{5 * moment}"):
            assert process.is_alive()
            time.sleep(0.01)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
    with opened_store(tmp_path, told.append) as store:
        found = [name for moment in range(3) for name in (f"p{moment}_0", f"p{moment}_{5 * moment}")]
        assert all(store.get("unit", name) == name.encode() * 50 for name in found)
    assert told == []


def _has(folder: Path, key: str) -> bool:
    if not (folder / FILE).exists():
        return False
    store = Store(folder / FILE, lambda text: None)
    try:
        return store.get("unit", key) is not None
    finally:
        store.close()
