"""A mirror holds files at their paths below another root; results name the real paths."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pytest

from tightrope.source import mirror
from tightrope.source.flags import root_flags
from tightrope.source.mirror import (
    ROOT,
    SWITCH,
    add_root,
    enter_mirror,
    gather,
    mirror_flags,
    outside_path,
    put_root,
    remove_root,
    unpack,
)


@dataclass(frozen=True)
class Named:
    text: str
    path: Path
    parts: tuple[Path, ...] = ()


def test_a_mirror_has_files_links_and_folders(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "inner").mkdir(parents=True)
    (real / "a.h").write_text("a")
    (real / "inner" / "b.h").write_bytes(b"\xff")
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "away").symlink_to(real / "inner")
    paths = [tmp_path / "linked" / "a.h", tmp_path / "away" / "b.h", tmp_path / "linked" / "inner" / ".." / "a.h"]
    tree = gather([*paths, tmp_path / "absent.h"], [tmp_path / "build"], [(str(tmp_path / "db"), f"{ROOT}/x")])
    root = tmp_path / "root"
    unpack(tree, root)
    assert [Path(f"{root}{path}").read_bytes() for path in paths] == [b"a", b"\xff", b"a"]
    assert Path(f"{root}{tmp_path}/build").is_dir()
    assert Path(f"{root}{tmp_path}/db").read_text() == f"{root}/x"
    assert Path(f"{root}{tmp_path}/away").resolve() == Path(f"{root}{real}/inner")


def test_files_with_other_content_are_another_tree(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("a")
    first = gather([tmp_path / "a.h"], [])
    assert first.digest == gather([tmp_path / "a.h"], []).digest
    (tmp_path / "a.h").write_text("b")
    assert first.digest != gather([tmp_path / "a.h"], []).digest


def test_headers_that_this_machine_has_are_its_own(tmp_path: Path) -> None:
    """A worker uses the headers of its own C library."""
    header = Path("/usr/include/stdio.h")
    if not header.exists():
        pytest.skip("this machine has no headers in /usr/include")
    unpack(gather([header], []), tmp_path / "root")
    assert not Path(f"{tmp_path}/root{header}").exists()


def test_a_place_is_for_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is the same in the next command; what a process that has ended left there is removed."""
    monkeypatch.setattr(mirror, "private_folder", lambda purpose: tmp_path)
    held: list[BinaryIO] = []
    monkeypatch.setattr(mirror, "_locks", held)
    first, second = mirror.take_place(), mirror.take_place()
    assert first != second
    first.mkdir()
    second.mkdir()
    held.pop(0).close()
    mirror.sweep_places()
    assert not first.exists() and second.exists()
    assert mirror.take_place() == first
    for lock in held:
        lock.close()


def test_roots_come_and_go(tmp_path: Path) -> None:
    value = Named("/text", Path("/proj/a.c"), (Path("b.c"), Path("/c.c")))
    there = put_root(add_root(value), tmp_path)
    assert there == Named("/text", Path(f"{tmp_path}/proj/a.c"), (Path("b.c"), Path(f"{tmp_path}/c.c")))
    assert remove_root(there, tmp_path) == value


def test_flags_of_a_mirror(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "words").write_text("-DX=1")
    given = (f"-I{tmp_path}/include", "-Iinclude", "-I", "/usr/include/", "-DWHERE=/etc", "@words")
    expected = (f"-I{ROOT}{tmp_path}/include", "-Iinclude", "-I", "/usr/include/", "-DWHERE=/etc", "-DX=1")
    assert root_flags(given, tmp_path) == expected


def test_a_process_in_a_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", "/")
    monkeypatch.setenv(SWITCH, "")
    monkeypatch.chdir(tmp_path)
    assert list(mirror_flags()) == [] and outside_path("/a") == "/a"
    (tmp_path / "usr" / "include").mkdir(parents=True)
    enter_mirror(tmp_path, "/proj/u", ("/usr/include", "/usr/local/include"))
    assert Path.cwd() == tmp_path / "proj" / "u"
    assert list(mirror_flags()) == [f"-fmacro-prefix-map={tmp_path}/=/", "-idirafter", f"{tmp_path}/usr/include"]
    assert outside_path(f"{tmp_path}/opt/x") == "/opt/x"
