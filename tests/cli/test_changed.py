"""--changed: only functions that a change impacts, callers in other files included."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import tightrope
from tightrope.cli import main
from tightrope.command_line.arguments import read_options

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")

FILES = {
    "inc/lim.h": "#define LIMIT 10\nint scale(int);\nextern const int table[];\n",
    "src/a.c": '#include "lim.h"\nint far(int a) { return a > LIMIT; }\nint near(int a) { return a == 2; }\n',
    "src/b.c": "int scale(int a) { return a == 3 ? 9 : a; }\nint alone(int a) { return a < 0; }\nconst int table[2] = {1, 2};\n",
    "src/c.c": '#include "lim.h"\nstatic int twice(int x) { return scale(x) + scale(x); }\n'
    "int caller(int x) { return twice(x) > 4; }\nint other(int x) { return x > 5; }\n"
    "int look(int x) { return table[x & 1] > 1; }\n",
    "tests/test_a_near.c": "/* Written by Tightrope: tests of `near` in a.c. */\nint near(int a) { return a; }\n",
}


def git(*words: str) -> None:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = [word for key in ("user.name", "user.email") for word in ("-c", f"{key}=me")]
    subprocess.run(["git", *who, *words], env={**os.environ, **own}, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    entries = [
        {"directory": str(tmp_path), "file": f"src/{name}.c", "command": f"cc -Iinc -c src/{name}.c"} for name in "abc"
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "first")
    return tmp_path


def edit(name: str, old: str, new: str) -> None:
    text = Path(name).read_text()
    assert old in text
    Path(name).write_text(text.replace(old, new))


def changed(*words: str) -> set[str]:
    found = tightrope.objectives(*(words or (".",)), changed="HEAD", criterion="branch")
    return {f"{Path(each.file).stem}:{each.function}" for each in found}


def test_nothing_changed(project, capsys) -> None:
    (project / "src/a.c").write_text("/* a remark */\n" + FILES["src/a.c"])
    assert changed() == set()
    assert main(["generate", "--changed", ".", "--json", "report.json"]) == 0
    assert "no function is impacted by changes since HEAD" in capsys.readouterr().err
    assert json.loads((project / "report.json").read_text())["units"] == []


def test_a_macro_in_a_header(project) -> None:
    edit("inc/lim.h", "LIMIT 10", "LIMIT 11")
    assert changed() == {"a:far"}
    assert changed("src/b.c") == set()


def test_callers_in_other_files(project) -> None:
    edit("src/b.c", "a == 3", "a == 4")
    assert changed() == {"b:scale", "c:twice", "c:caller"}
    assert changed("src/c.c") == {"c:twice", "c:caller"}  # what changed need not be a target itself
    assert changed("src/../src/a.c") == set()


def test_a_function_that_is_gone_becomes_a_stub(project) -> None:
    edit("src/b.c", "int scale(int a) { return a == 3 ? 9 : a; }\n", "")
    assert changed() == {"c:twice", "c:caller"}
    (project / "src/b.c").unlink()
    assert changed("src/c.c") == {"c:twice", "c:caller", "c:look"}


def test_data_of_other_files_and_new_functions(project) -> None:
    edit("src/b.c", "{1, 2}", "{1, 3}")
    edit("src/a.c", "int near", "int fresh(void) { return 1; }\nint near")
    assert changed() == {"c:look", "a:fresh"}


def test_a_file_that_does_not_compile_any_more_is_a_row(project) -> None:
    edit("src/a.c", "a == 2", "b == 2")
    edit("src/b.c", "a < 0", "a < 1")
    report = tightrope.generate(".", changed="HEAD", criterion="branch", no_confirm=True)
    assert {(each.file, each.function) for each in report.units} == {("src/a.c", ""), ("src/b.c", "alone")}


def test_since_a_branch_left(project) -> None:
    git("checkout", "-qb", "work")
    edit("src/b.c", "a < 0", "a < 1")
    git("commit", "-qam", "work")
    git("checkout", "-q", "main")
    edit("src/a.c", "a == 2", "a == 3")
    git("commit", "-qam", "main")
    git("checkout", "-q", "work")
    found = tightrope.objectives(".", changed="main...", criterion="branch")
    assert [each.function for each in found] == ["alone"]


@pytest.mark.parametrize(
    ("words", "revision"),
    [
        (["--changed", "src"], "HEAD"),
        (["src", "--changed"], "HEAD"),
        (["src", "--changed", "-q"], "HEAD"),
        (["src", "--changed", "main"], "main"),
        (["--changed=src", "src/a.c"], "src"),
        (["--changed", "src/*.c"], "HEAD"),
        (["src"], None),
    ],
)
def test_the_revision_may_be_left_out(project, words, revision) -> None:
    assert read_options(["generate", *words]).changed == revision


def test_what_is_no_revision_is_said(project, capsys) -> None:
    assert main(["generate", "src", "--changed=nowhere"]) == 2
    assert "`nowhere` is not" in capsys.readouterr().err


def test_a_change_of_a_file_that_is_linked_and_no_target_counts(project) -> None:
    edit("src/b.c", "a == 3 ? 9", "a == 3 ? 7")
    assert changed("src/c.c") == {"c:caller", "c:twice"}


def test_a_macro_or_an_inline_function_may_hide_the_use(project) -> None:
    edit("inc/lim.h", "#define LIMIT 10", "#define LIMIT 10\n#define BIG(x) \\\n    (scale(x) > 4)\n")
    (project / "src/d.c").write_text('#include "lim.h"\nint hidden(int x) { return BIG(x); }\n')
    entries = json.loads((project / "compile_commands.json").read_text())
    entries.append({**entries[0], "file": "src/d.c", "command": "cc -Iinc -c src/d.c"})
    (project / "compile_commands.json").write_text(json.dumps(entries))
    git("add", "-A")
    git("commit", "-qm", "second")
    edit("src/b.c", "a == 3 ? 9", "a == 3 ? 7")
    assert changed("src/d.c") == {"d:hidden"}
