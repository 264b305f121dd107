"""Where the flags of a file come from."""

import json
from pathlib import Path

import pytest

from tightrope.errors import NothingMatchedError, UnsupportedError
from tightrope.source.project import candidate_places, describe_recipe, find_project


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "src" / "deep"
    folder.mkdir(parents=True)
    file = folder / "x.c"
    file.write_text("int x;")
    return file


def write(folder: Path, file: Path, *commands: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    entries = [{"directory": str(folder), "file": str(file), "command": command} for command in commands]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return folder / "compile_commands.json"


@pytest.mark.parametrize("place", ["src/deep", "src", ".", "build", "src/build", "builddir"])
def test_a_database_is_found_above_and_in_build(tmp_path: Path, unit: Path, place: str):
    path = write(tmp_path / place, unit, "cc -DX -c x.c")
    project = find_project(unit, None)
    assert project.database is not None and project.database.path == path
    assert project.was_found
    assert "compile_commands.json says" in next(iter(describe_recipe(project)))
    (recipe,) = project.recipes(unit)
    assert recipe.flags.kept == ("-DX",)
    assert recipe.folder == tmp_path / place


def test_the_nearest_that_knows_the_file_wins(tmp_path: Path, unit: Path):
    write(tmp_path / "src", tmp_path / "other.c", "cc -c other.c")
    far = write(tmp_path, unit, "cc -c x.c")
    project = find_project(unit, None)
    assert project.database is not None and project.database.path == far


def test_the_search_ends_at_the_top_of_the_repository(tmp_path: Path, unit: Path):
    write(tmp_path, unit, "cc -c x.c")
    (tmp_path / "src" / ".git").mkdir()
    assert list(candidate_places(unit)) == []
    assert find_project(unit, None).database is None


def test_flags_after_the_dashes_are_taken_instead(tmp_path: Path, unit: Path):
    write(tmp_path, unit, "cc -DX -c x.c")
    project = find_project(unit, None, ["-DY"])
    assert project.database is None
    assert project.recipes(unit)[0].flags.kept == ("-DY",)


def test_to_a_database_that_is_named_they_add(tmp_path: Path, unit: Path):
    write(tmp_path, unit, "cc -DX -c x.c")
    project = find_project(unit, tmp_path, ["-DY"])
    assert project.recipes(unit)[0].flags.kept == ("-DX", "-DY")
    assert list(describe_recipe(project)) == []


def test_a_database_that_is_named_must_know_the_file(tmp_path: Path, unit: Path):
    write(tmp_path, tmp_path / "other.c", "cc -c other.c")
    with pytest.raises(NothingMatchedError, match="not-in-database"):
        find_project(unit, tmp_path).recipes(unit)


@pytest.mark.parametrize("flag", ["-m32", "-mx32", "-m16"])
def test_code_that_this_process_cannot_run_is_refused(tmp_path: Path, unit: Path, flag: str):
    write(tmp_path, unit, f"cc {flag} -c x.c")
    with pytest.raises(UnsupportedError, match=rf"{flag}: .*64-bit process(.|\n)*\[not-64-bit\](.|\n)*-- -m64"):
        find_project(unit, tmp_path).recipes(unit)
    assert find_project(unit, tmp_path, ["-m64"]).recipes(unit)
    with pytest.raises(UnsupportedError):
        find_project(unit, None, [flag]).recipes(unit)
