"""Evidence packs: all that somebody needs to check a report without Tightrope, and a script that notices what is wrong.

A pack is made once; the tests change copies of it. Hashes only detect accidents, since whoever changes a file may change
its hash as well: each change is therefore also made with new hashes, and must be noticed by what is built and proved.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import tightrope
from tightrope import cli

HEADER = "#define LIMIT 8\n"
UNIT = """\
#include "limit.h"
#include <stddef.h>

static int clamp(int a)
{
    if (a > LIMIT)
        return LIMIT;
    return a;
}

int level(int a, int b)
{
    int c = clamp(a), off = 0;
    if (c > LIMIT)
        return -1;
    if (off)
        return -2;
    return c + b * 3;
}
"""
TWIN = """\
static int clamp(int a)
{
    if (a < 0)
        a = 0;
    if (a < 0)
        return 1;
    return a;
}

int other(int a)
{
    return clamp(a) + 1;
}
"""

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="without cc, no suite is built again")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files, each with a `static` function of the same name, whose proofs must not replace each other."""
    project = tmp_path_factory.mktemp("project")
    (project / "src").mkdir()
    (project / "include").mkdir()
    (project / "include/limit.h").write_text(HEADER)
    (project / "src/level.c").write_text(UNIT)
    (project / "src/twin.c").write_text(TWIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        patch.setattr("tightrope.commands.generate.confirmed_verdicts.find_gcc", lambda: None)
        words = ["generate", "src/level.c", "src/twin.c", "-q", "--evidence", "pack", "--seed", "7"]
        assert cli.main([*words, "-c", "branch", "--format", "plain,json", "--", "-Iinclude"]) == 0
    return project / "pack"


@pytest.fixture
def copy(pack: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pack, tmp_path / "elsewhere"))


def solver(tmp_path: Path, answer: str) -> str:
    """A solver that always says the same."""
    script = tmp_path / f"says_{answer}"
    script.write_text(f"#!/bin/sh\necho {answer}\n")
    script.chmod(0o755)
    return str(script)


def replay(pack: Path, *words: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(pack / "replay.py"), *words],
        cwd=pack.parent,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def seal_again(pack: Path) -> None:
    """As somebody would who knows of the hashes."""
    names = [line[66:] for line in (pack / "SHA256SUMS").read_text().splitlines()]
    sums = [f"{hashlib.sha256((pack / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (pack / "SHA256SUMS").write_text("".join(sums))


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_everything_is_there(pack: Path) -> None:
    names = {line[66:] for line in (pack / "SHA256SUMS").read_text().splitlines()}
    there = {file.relative_to(pack).as_posix() for file in pack.rglob("*") if file.is_file()}
    assert there == names | {"SHA256SUMS"}
    assert {"README.md", "replay.py", "manifest.json", "report.json", "report.html"} < names
    assert {"tree/src/level.c", "tree/include/limit.h", "tree/tightrope-tests/test_level.c"} < names
    manifest = json.loads((pack / "manifest.json").read_text())
    assert manifest["seed"] == 7 and manifest["options"]["--criterion"] == "branch"
    assert manifest["options"]["flags for the compiler"] == "-Iinclude"
    assert len(manifest["compiler"]["sha256"]) == 64 and manifest["versions"]["tightrope"] == tightrope.__version__
    kinds = {each["path"]: each["kind"] for each in manifest["files"]}
    assert kinds["tree/src/level.c"] == "source" and kinds["tree/include/limit.h"] == "header"
    assert any(each["path"].endswith("stddef.h") for each in manifest["outside"])
    assert str(pack.parent) not in "".join((pack / name).read_text(errors="replace") for name in names)


def test_a_pack_that_is_whole_holds(copy: Path, tmp_path: Path) -> None:
    status, said = replay(copy, SOLVER=solver(tmp_path, "unsat"))
    assert status == 0, said
    assert "0 failed, 0 not checked" in said
    assert "test_level: " in said and "test_twin_clamp: " in said
    assert said.count("the formula has no solution") == 2
    assert "level:branch:" in said and "no formula   " in said  # `off` is constant


def test_the_formulas_are_refuted_by_another_solver(copy: Path) -> None:
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if not shutil.which("z3", path=places):
        pytest.skip("there is no program z3: formulas are not given to a real solver")
    status, said = replay(copy, PATH=places)
    assert status == 0, said
    assert "now given to Z3" in said


def test_without_a_solver_it_says_what_it_could_not_check(copy: Path) -> None:
    status, said = replay(copy, SOLVER="no-such-solver")
    assert status == 3
    assert said.count("not checked  ") == 2 and "0 failed, 2 not checked" in said


@pytest.mark.parametrize(("answer", "status", "word"), [("sat", 1, "HAS a solution"), ("unknown", 3, "no answer")])
def test_another_answer_of_the_solver_is_told(copy: Path, tmp_path: Path, answer: str, status: int, word: str) -> None:
    found, said = replay(copy, SOLVER=solver(tmp_path, answer))
    assert found == status and word in said


CHANGES = {
    "source": ("tree/src/level.c", "c + b * 3", "c + b * 4", "do not pass"),
    "header": ("tree/include/limit.h", "8", "9", "do not pass"),
    "suite": ("tree/tightrope-tests/test_level.c", "EXPECT_INT(result, ", "EXPECT_INT(result, 1 + ", "do not pass"),
    "proof": (
        "proofs/twin.clamp_branch_+4.11_true.smt2",
        "(check-sat)",
        "(check-sat) ",
        "not the formula of the report",
    ),
    "report": ("report.json", '"verdict": "infeasible"', '"verdict": "covered"', "not by tests of the suite"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_was_changed_is_noticed(copy: Path, tmp_path: Path, what: str) -> None:
    name, old, new, word = CHANGES[what]
    change(copy / name, old, new)
    status, said = replay(copy, SOLVER=solver(tmp_path, "unsat"))
    assert status == 1 and f"{name} is not what it was" in said
    seal_again(copy)
    status, said = replay(copy, SOLVER=solver(tmp_path, "unsat"))
    assert status == 1 and word in said, said


def test_files_that_are_missing_or_added_are_noticed(copy: Path, tmp_path: Path) -> None:
    (copy / "proofs/twin.clamp_branch_+4.11_true.smt2").unlink()
    (copy / "tree/more.c").write_text("")
    status, said = replay(copy, SOLVER=solver(tmp_path, "unsat"))
    assert status == 1
    assert "is not there" in said and "tree/more.c does not belong to the pack" in said and "is not in the pack" in said


def test_a_source_that_does_not_compile_is_told(copy: Path, tmp_path: Path) -> None:
    change(copy / "tree/src/level.c", "return c + b", "return c + + nothing")
    assert "test_level is not built" in replay(copy, SOLVER=solver(tmp_path, "unsat"))[1]


def test_own_files_are_compared_with_the_pack(pack: Path, copy: Path, tmp_path: Path) -> None:
    environment = {"SOLVER": solver(tmp_path, "unsat")}
    status, said = replay(copy, "--sources", str(pack.parent), **environment)
    assert status == 0 and "limit.h is the header in the pack" in said
    other = shutil.copytree(copy / "tree", tmp_path / "checkout")
    change(other / "include/limit.h", "8", "9")
    status, said = replay(copy, "--sources", str(other), **environment)
    assert status == 1 and "limit.h differs from the header in the pack" in said


def test_the_page_names_results_and_limits(pack: Path) -> None:
    page = (pack / "README.md").read_text()
    assert "| level | src/level.c | branch | 2 | 2 | 0 | 100% |" in page
    assert "What this does not show" in page and "signature" in page


def test_a_zip_file_has_the_same_contents_and_nothing_of_the_user_is_replaced(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "same.c").write_text("int same(int a) { return a + 1; }\n")
    report = tightrope.generate("same.c", evidence="out/pack.zip")
    assert report.units
    with zipfile.ZipFile("out/pack.zip") as packed:
        assert {"SHA256SUMS", "replay.py", "tree/same.c", "tree/tightrope-tests/test_same.c"} <= set(packed.namelist())
        assert packed.getinfo("replay.py").external_attr >> 16 & 0o100
    tightrope.generate("same.c", evidence="out/pack.zip")  # an earlier pack is replaced


@pytest.mark.parametrize("name", ["mine", "mine.zip"])
def test_what_is_no_pack_is_left_alone_before_any_work(tmp_path: Path, capsys, name: str) -> None:
    unit, place = tmp_path / "same.c", tmp_path / name
    unit.write_text("int same(int a) { return a + 1; }\n")
    if place.suffix:
        place.write_text("notes")
    else:
        place.mkdir()
        (place / "notes.txt").write_text("notes")
    assert cli.main(["generate", str(unit), "-o", str(tmp_path / "tests"), "--evidence", str(place)]) == 2
    assert "is no evidence pack" in capsys.readouterr().err
    assert not (tmp_path / "tests").exists()


def test_a_pack_with_somebodys_notes_in_it_is_left_alone(copy: Path, tmp_path: Path, capsys) -> None:
    (copy / "review.txt").write_text("looks good")
    unit = tmp_path / "same.c"
    unit.write_text("int same(int a) { return a + 1; }\n")
    assert cli.main(["generate", str(unit), "-o", str(tmp_path / "tests"), "--evidence", str(copy)]) == 2
    assert "review.txt, which does not belong to an evidence pack" in capsys.readouterr().err
    assert (copy / "review.txt").exists()


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_pack_that_somebody_has_signed_is_left_alone(copy: Path, tmp_path: Path, capsys, is_packed: bool) -> None:
    with (copy / "README.md").open("a") as page:
        page.write("signed: me\n")
    place = Path(shutil.make_archive(str(tmp_path / "signed"), "zip", copy)) if is_packed else copy
    before = place.read_bytes() if is_packed else (copy / "README.md").read_bytes()
    unit = tmp_path / "same.c"
    unit.write_text("int same(int a) { return a + 1; }\n")
    assert cli.main(["generate", str(unit), "-o", str(tmp_path / "tests"), "--evidence", str(place)]) == 2
    assert "README.md, which somebody has changed" in capsys.readouterr().err
    assert (place.read_bytes() if is_packed else (copy / "README.md").read_bytes()) == before


def test_tests_that_were_there_before_are_told_apart(tmp_path: Path, monkeypatch) -> None:
    """Those of an earlier suite of ours are in the pack; those that somebody wrote by hand are not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sign.c").write_text("int sign(int a)\n{\n    if (a < 0)\n        return -1;\n    return a > 0;\n}\n")
    (tmp_path / "by_hand.c").write_text('#include "sign.c"\nint main(void) { return sign(-4) + 1; }\n')
    words = ["generate", "sign.c", "-q", "--evidence", "pack", "-c", "branch"]
    assert cli.main(words) == 0
    assert cli.main(words) == 0  # all tests are kept
    status, said = replay(tmp_path / "pack")
    assert status == 0 and "test_sign: 2 tests pass" in said, said
    assert cli.main([*words, "--suite", "by_hand.c", "-o", "more"]) == 0
    status, said = replay(tmp_path / "pack")
    assert status == 3 and "not checked  by_hand.c: " in said, said
