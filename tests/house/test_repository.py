"""The repository as a whole: what a stranger gets when they clone it."""

from __future__ import annotations

import re

import pytest
from imports import PACKAGE, ROOT

import tightrope

_SKIPPED = {
    ".git",
    ".venv",
    "build",
    "dist",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "__pycache__",
}
_TEXT = {".py", ".c", ".h", ".md", ".toml", ".json", ".txt", ".yml", ".html", ".j2", ".cfg", ".sh", ""}
# Built from parts, so that this file does not contain what it looks for.
_OF_SOME_MACHINE = re.compile(
    "|".join(
        ("/ho" + r"me/(?!me\b)\w", "/ro" + r"ot/", "/wo" + "rk/", "/Us" + r"ers/\w", "/fa" + "rm/", r"C:\\Us" + "ers")
    )
)


def _files():
    for file in sorted(ROOT.rglob("*")):
        if file.is_file() and file.suffix in _TEXT and not _SKIPPED & set(file.relative_to(ROOT).parts):
            yield file


def test_no_path_of_some_machine():
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for file in _files()
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if _OF_SOME_MACHINE.search(line)
    ]
    assert not found


@pytest.mark.parametrize("name", ["README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", ".ci/run"])
def test_what_everyone_looks_for_is_there(name):
    assert (ROOT / name).stat().st_size > 100


def test_the_first_screen_says_what_it_is_and_the_two_commands():
    first_screen = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40])
    assert "make demo" in first_screen
    assert "make test" in first_screen


def test_the_changelog_knows_the_version():
    version = tightrope.__version__
    assert re.search(rf"^## .*{re.escape(version)}", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_links_between_pages_lead_somewhere():
    broken = []
    for page in (file for file in _files() if file.suffix == ".md"):
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)} -> {target}")
    assert not broken


def test_files_that_pages_name_exist():
    """A page says `inputs/shape.py` and means a file below src/tightrope, the root, or the page's own folder."""
    gone = []
    for page in (file for file in _files() if file.suffix == ".md" and "results" not in file.parts):
        if page.name == "CHANGELOG.md":
            continue
        for name in re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|c|h))`", page.read_text(encoding="utf-8")):
            places = (PACKAGE, ROOT, page.parent, ROOT / "examples")
            if "NAME" not in name and not any((place / name).exists() for place in places):
                gone.append(f"{page.relative_to(ROOT)}: {name}")
    assert not gone


def test_unit_tests_mirror_the_rooms():
    here = ROOT / "tests" / "unit"
    folders = {file.parent.relative_to(here) for file in here.rglob("test_*.py")}
    assert not [str(folder) for folder in folders if not (PACKAGE / folder).is_dir()]
