from pathlib import Path

import pytest

from tightrope.source.cache import Cache, cache_key, open_cache


def test_what_is_put_is_got(tmp_path: Path):
    cache = Cache(tmp_path)
    assert cache.get("key") is None
    cache.put("key", b"content")
    assert cache.get("key") == b"content"
    assert [file.name for file in tmp_path.iterdir()] == ["key"]  # nothing half-written is left


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 100])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes):
    cache = Cache(tmp_path)
    cache.put("key", b"content")
    (tmp_path / "key").write_bytes(damage)
    assert cache.remember("key", lambda: b"again") == b"again"
    assert cache.get("key") == b"again"


@pytest.mark.parametrize("folder", ["missing", "file"])
def test_a_folder_that_cannot_be_used_only_costs_time(tmp_path: Path, folder: str):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / folder)
    assert [cache.remember("key", lambda: b"content") for _ in range(2)] == [b"content"] * 2


def test_a_key_that_is_a_folder_only_costs_time(tmp_path: Path):
    (tmp_path / "key").mkdir()
    assert Cache(tmp_path).remember("key", lambda: b"content") == b"content"


def test_the_oldest_are_forgotten(tmp_path: Path):
    cache = Cache(tmp_path)
    for number in range(70):
        cache.put(str(number), b"")
    assert len(list(tmp_path.iterdir())) == 64
    assert cache.get("69") == b""


def test_where_it_is(tmp_path: Path):
    assert open_cache(environment={"XDG_CACHE_HOME": str(tmp_path), "HOME": "x"}).folder == tmp_path / "tightrope"
    assert open_cache(environment={"HOME": str(tmp_path)}).folder == tmp_path / ".cache" / "tightrope"
    (tmp_path / "file").write_text("")
    for hopeless in ({}, {"HOME": str(tmp_path / "file")}, {"XDG_CACHE_HOME": "relative"}):
        cache = open_cache(environment=hopeless)
        assert cache.remember("test", lambda: b"content") == b"content"
    assert not Path("relative").exists()


def test_keys_depend_on_every_part_and_where_it_ends():
    keys = {cache_key("ab", "c"), cache_key("a", "bc"), cache_key("abc"), cache_key("abc", ""), cache_key()}
    assert len(keys) == 5
    assert cache_key("é") == cache_key("é".encode())
