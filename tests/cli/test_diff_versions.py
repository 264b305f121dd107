"""Which versions of which C files `tightrope diff` compares, and how each is compiled; what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope import cli
from tightrope.command_line.arguments import read_options
from tightrope.commands.diff.versions.find_pairs import find_pairs, name_versions
from tightrope.commands.diff.versions.pair import Pair, Version, about
from tightrope.errors import TightropeError, UsageError
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.report.difference_model import DifferenceReport, FunctionDifference, ReportedDifference
from tightrope.report.model import ReportedObjective, Statistics, Tool, UnitReport
from tightrope.source.toolchain import find_compiler
from tightrope.units.prepare import prepare_file

F = "int f(int a) { return a > 3; }\n"
G = "int f(int a) { return a > 4; }\n"

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, outside of all repositories."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


def save(**files: str) -> None:
    for name, text in files.items():
        write(name.replace("__", "/") + ".c", text)


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def git(*words: str) -> str:
    own = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = [word for key in ("user.name", "user.email") for word in ("-c", f"{key}=me")]
    command = ["git", *who, *words]
    return subprocess.run(command, env={**os.environ, **own}, check=True, capture_output=True, text=True).stdout


def commit(**files: str) -> None:
    """A commit with these C files, and whatever else is there."""
    if not Path(".git").exists():
        git("init", "-q", "-b", "main")
    save(**files)
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "x")


def read(*words: str) -> Options:
    return read_options(["diff", *words])


def names(*words: str) -> list[tuple[str | None, str | None]]:
    with find_pairs(read(*words)) as pairs:
        return [(pair.old and pair.old.name, pair.new and pair.new.name) for pair in pairs]


def functions_of(version: Version | None) -> tuple[str, ...]:
    """It is really compiled."""
    assert version is not None
    return prepare_file(find_compiler(None), version.file, version.options, print).functions


# --- words -------------------------------------------------------------------------------------


def test_two_files(here) -> None:
    save(old=F, new=G)
    with find_pairs(read("old.c", "new.c", "-c", "branch", "--", "-DX")) as (pair,):
        assert (pair.old.name, pair.new.name) == ("old.c", "new.c")
        assert (pair.old.options.targets, pair.new.options.targets) == (
            (Target(Path("old.c")),),
            (Target(Path("new.c")),),
        )
        assert pair.new.options.flags == ("-DX",)
        assert pair.old.options.flags[0] == "-DX"
        assert pair.old.options.criteria == ("branch",)


@pytest.mark.parametrize("words", [("old.c:f", "new.c"), ("old.c", "new.c:f"), ("old.c:f", "new.c:f")])
def test_the_function_may_stand_behind_either_file(words, here) -> None:
    save(old=F, new=G)
    with find_pairs(read(*words)) as (pair,):
        assert [version.options.targets[0].function for version in (pair.old, pair.new)] == ["f", "f"]


@pytest.mark.parametrize(
    ("words", "subjects", "flags"),
    [
        (["HEAD~1"], ("HEAD~1",), ()),
        (["HEAD~1", "--", "x.c", "y.c"], ("HEAD~1", "--", "x.c", "y.c"), ()),
        (["a", "b", "--", "x.c", "--", "-Iinc", "x.o"], ("a", "b", "--", "x.c"), ("-Iinc", "x.o")),
        (["a", "--", "x.c", "-Iinc"], ("a", "--", "x.c"), ("-Iinc",)),
        (["a.c", "b.c", "--", "-Iinc"], ("a.c", "b.c"), ("-Iinc",)),
        (["a.c", "-f", "f", "b.c"], ("a.c", "b.c"), ()),
        (["-q", "a.c", "b.c", "--", "--", "-DX"], ("a.c", "b.c"), ("-DX",)),
    ],
)
def test_files_and_flags_stand_behind_dashes(words, subjects, flags, here) -> None:
    options = read(*words)
    assert (options.subjects, options.flags, options.targets) == (subjects, flags, ())


def test_options_behind_dashes_are_no_flags(here) -> None:
    with pytest.raises(UsageError, match=r"--criterion comes after --") as problem:
        read("HEAD", "--", "x.c", "--criterion=mcdc")
    assert "before --" in str(problem.value)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["old.c", "new.c"], ("old.c", "new.c")),
        (["HEAD~1", "--", "x.c"], ("HEAD~1", "the working tree")),
        (["v1..v2"], ("v1", "v2")),
        (["main..."], ("main", "HEAD")),
    ],
)
def test_versions_have_the_names_that_the_user_gave_them(words, expected, here) -> None:
    assert name_versions(read(*words)) == expected


BAD_USES = [
    ([], "name the versions: "),
    (["f.c"], "f.c is only one version, and two are needed"),
    (["gone.c"], "there is no file gone.c"),
    (["f.c", "gone.c"], "there is no file gone.c"),
    (["f.c", "folder"], "f.c is a file, but folder is a folder"),
    (["f.c", "HEAD"], "f.c is a file, but HEAD is a revision"),
    (["f.c", "./f.c"], "f.c and f.c are the same file"),
    (["f.c", "folder/../f.c"], "are the same file"),
    (["folder", "folder/"], "are the same folder"),
    (["f.c:f", "g.c:g"], "functions are compared by name"),
    (["a", "b", "c"], "`tightrope diff` compares two versions, and `c` is a third one"),
    (["f.c", "g.c", "--", "x.c"], "two C files are compared, and `x.c` is a third one"),
    (["odl", "folder"], "`odl` is not a C file or a folder, and "),
    (["HEAD"], "is not in the working tree of a git repository"),
    (["HEAD", "--", "f.c"], "is not in the working tree of a git repository"),
    (["folder", "other", "--", "f.c"], "f.c is neither in folder nor in other"),
    (["folder", "other", "-f", "nothing"], "no function `nothing` is defined in folder or other"),
    (["f.c", "g.c", "-p", "gone"], "there is no gone"),
]  # fmt: skip


@needs_git
@pytest.mark.parametrize(("words", "message"), BAD_USES)
def test_bad_use_is_one_message(words, message, here, capsys, fake_diff) -> None:
    save(f=F, g=G, folder__x=F, other__x=G)
    code = cli.main(["diff", *words])
    shown = capsys.readouterr()
    assert code in (2, 5)
    assert shown.err.startswith("tightrope: error: ")
    assert message in shown.err
    assert shown.out == ""


@pytest.fixture
def fake_diff(monkeypatch: pytest.MonkeyPatch):
    """The command without the engine: it only finds the pairs."""

    class Module:
        @staticmethod
        def diff(options: Options) -> DifferenceReport:
            with find_pairs(options):
                return DifferenceReport(Tool("tightrope", "1"), *name_versions(options), ())

    monkeypatch.setitem(__import__("sys").modules, "tightrope.commands.diff.diff", Module)


def test_without_git(here, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(here))
    with pytest.raises(UsageError, match="git cannot be started: No such file or directory") as problem:
        names("HEAD")
    assert "name two files" in str(problem.value)


# --- how the files are compiled ----------------------------------------------------------------

LIMITED = '#include "limit.h"\nint f(int a) { return a > LIMIT; }\n'


def database(folder: str, *entries: tuple[str, list[str]]) -> None:
    rows = [
        {"directory": str(Path.cwd() / folder), "file": file, "arguments": ["cc", *flags, "-c", file]}
        for file, flags in entries
    ]
    write(f"{folder}/compile_commands.json", json.dumps(rows))


def test_a_file_outside_of_the_project_is_compiled_as_its_other_version(here) -> None:
    """Flags of the database, headers beside the file, and `__FILE__`."""
    text = LIMITED + "#ifndef BOARD\n#error flags are missing\n#endif\nint g(void) { return sizeof(__FILE__); }\n"
    write("project/x.c", text)
    write("project/limit.h", "#include <board.h>\n")
    write("project/include/board.h", "#define LIMIT 3\n")
    database("project", ("x.c", ["-Iinclude", "-DBOARD"]), ("y.c", []))
    write("elsewhere/before.c", text)
    for words in (("elsewhere/before.c", "project/x.c"), ("project/x.c", "elsewhere/before.c")):
        with find_pairs(read(*words)) as (pair,):
            assert functions_of(pair.old) == functions_of(pair.new) == ("f", "g")
            linkers = [
                prepare_file(find_compiler(None), one.file, one.options, print).linker for one in (pair.old, pair.new)
            ]
            others = [[file for file in one.project.database.files if file.name == "y.c"] for one in linkers]
            assert others == [[here / "project" / "y.c"]] * 2


def test_headers_beside_the_other_file_are_found(here) -> None:
    write("new/x.c", LIMITED)
    write("new/limit.h", "#define LIMIT 3\n")
    write("old.c", LIMITED)
    with find_pairs(read("old.c", "new/x.c")) as (pair,):
        assert functions_of(pair.old) == ("f",)


def test_own_headers_come_first(here) -> None:
    """What the other version has is the last resort."""
    write("new/x.c", LIMITED)
    write("new/limit.h", "#error that of the new version\n")
    write("old/x.c", LIMITED)
    write("old/limit.h", "#define LIMIT 3\n")
    with find_pairs(read("old/x.c", "new/x.c")) as (pair,):
        assert functions_of(pair.old) == ("f",)


def test_the_name_of_the_file_is_no_difference(here) -> None:
    """`__FILE__` is the same in both versions, so that `assert` is."""
    text = "const char *f(void) { return __FILE__; }\n"
    save(old=text, new=text)
    with find_pairs(read("old.c", "new.c")) as (pair,):
        files = [prepare_file(find_compiler(None), one.file, one.options, print) for one in (pair.old, pair.new)]
        texts = [sorted(one.initializer for one in each.program.globals.values()) for each in files]
    assert texts[0] == texts[1]
    assert "new.c" in texts[0][0]


def test_code_that_does_not_compile_is_told_by_its_version(here) -> None:
    save(old="int f(int a) { return b; }\n", new=F)
    with find_pairs(read("old.c", "new.c")) as (pair,):
        said = r"the old version: .*old\.c does not compile"
        with pytest.raises(TightropeError, match=said) as problem, about(pair.old, "old"):
            functions_of(pair.old)
        assert problem.value.exit_code == 4
        assert functions_of(pair.new) == ("f",)


# --- folders -----------------------------------------------------------------------------------


def test_folders_are_compared_file_by_file(here) -> None:
    save(old__same=F, new__same=F, old__src__x=F, new__src__x=G, old__gone=F + "int gone;\n", new__fresh="int g;\n")
    assert names("old", "new") == [
        (None, "new/fresh.c"),
        ("old/src/x.c", "new/src/x.c"),
        ("old/gone.c", None),
    ]
    assert names("old/", "new", "--", "same.c") == [("old/same.c", "new/same.c")]
    assert names("old/", "new", "--", "src") == [("old/src/x.c", "new/src/x.c")]
    assert names("old/", "new", "--", "new/src/x.c:f") == [("old/src/x.c", "new/src/x.c")]


def test_a_file_may_have_another_name(here) -> None:
    save(old__a=F * 9, new__b=F * 8 + G, old__lib__c=F, new__c=F, old__d="int d;\n", new__e="int e;\n")
    assert names("old", "new") == [
        ("old/a.c", "new/b.c"),
        (None, "new/e.c"),
        ("old/d.c", None),
    ]
    assert names("old", "new", "--", "a.c") == names("old", "new", "--", "b.c") == [("old/a.c", "new/b.c")]
    assert names("old", "new", "--", "c.c") == [("old/lib/c.c", "new/c.c")]


def test_files_that_include_what_changed(here) -> None:
    for folder, limit in (("old", 3), ("new", 4)):
        write(f"{folder}/x.c", '#include "outer.h"\nint f(int a) { return a > LIMIT; }\n')
        write(f"{folder}/other.c", '#include "alone.h"\n' + F)
        write(f"{folder}/outer.h", "#pragma once\n#  include <sub/limit.h>\n")
        write(f"{folder}/sub/limit.h", f"#define LIMIT {limit}\n")
        write(f"{folder}/alone.h", "")
    assert names("old", "new") == [("old/x.c", "new/x.c")]


def test_a_function_is_looked_for_in_all_files(here) -> None:
    save(old__x=F, new__x=F, old__y="int g(void) { return f(1); }\n", new__y="int g(void) { return f(2); }\n")
    assert names("old", "new", "-f", "f") == [("old/x.c", "new/x.c")]
    assert names("old", "new") == [("old/y.c", "new/y.c")]


def test_a_folder_without_a_database_is_compiled_as_the_other_one(here) -> None:
    text = "#include <limit.h>\n#include <made.h>\nint f(int a) { return a > LIMIT + MADE; }\n"
    for folder in ("old", "new"):
        write(f"{folder}/src/x.c", text)
        write(f"{folder}/include/limit.h", f"#define LIMIT {len(folder)}\n")
    write("new/build/made.h", "#define MADE 1\n")
    database("new/build", ("../src/x.c", ["-I../include", "-I."]))
    for words in (("old", "new"), ("old", "new", "-p", "build"), ("old", "new", "-p", "new/build")):
        with find_pairs(read(*words, "--", "src/x.c")) as (pair,):
            assert functions_of(pair.old) == functions_of(pair.new) == ("f",)
            flags = prepare_file(find_compiler(None), pair.old.file, pair.old.options, print).flags.kept
            assert flags.index("-I" + str(here / "old" / "include")) < flags.index(str(here / "new" / "include"))
    with find_pairs(read("new", "old", "--", "src/x.c")) as (pair,):
        assert functions_of(pair.old) == functions_of(pair.new) == ("f",)


def test_each_folder_has_its_own_database(here) -> None:
    for folder in ("old", "new"):
        write(f"{folder}/x.c", f"#ifdef {folder.upper()}\n{F}#endif\n")
        database(folder, ("x.c", [f"-D{folder.upper()}"]))
    with find_pairs(read("old", "new")) as (pair,):
        assert functions_of(pair.old) == functions_of(pair.new) == ("f",)


def test_paths_of_flags_may_start_in_the_folders(here) -> None:
    for folder in ("old", "new"):
        write(f"{folder}/x.c", f"#include <{folder}.h>\n{F}")
        write(f"{folder}/include/{folder}.h", "")
    with find_pairs(read("old", "new", "--", "-Iinclude")) as (pair,):
        assert functions_of(pair.old) == functions_of(pair.new) == ("f",)


# --- revisions ---------------------------------------------------------------------------------


@needs_git
def test_a_revision_and_the_working_tree(here) -> None:
    commit(src__x=F, same=F)
    save(src__x=G)
    git("status")
    before = state_of_the_repository()
    with find_pairs(read("HEAD")) as (pair,):
        assert (pair.old.name, pair.new.name) == ("HEAD:src/x.c", "src/x.c")
        assert (pair.old.file.read_text(), pair.new.file.read_text()) == (F, G)
        assert functions_of(pair.old) == functions_of(pair.new) == ("f",)
        place = pair.old.file
    assert not place.exists()
    assert state_of_the_repository() == before
    assert names("HEAD", "--", "same.c:f") == [("HEAD:same.c", "same.c")]
    assert names("HEAD", "src/x.c") == [("HEAD:src/x.c", "src/x.c")]


def state_of_the_repository() -> dict[str, tuple[int, bytes]]:
    return {str(file): (file.stat().st_mtime_ns, file.read_bytes()) for file in Path().rglob("*") if file.is_file()}


@needs_git
def test_paths_are_those_of_this_folder(here, monkeypatch) -> None:
    commit(src__x=F)
    save(src__x=G)
    monkeypatch.chdir(here / "src")
    assert names("HEAD", "--", "x.c") == names("HEAD") == [("HEAD:src/x.c", "x.c")]
    monkeypatch.chdir(here.parent)
    assert names("HEAD", "--", f"{here.name}/src/x.c") == [("HEAD:src/x.c", f"{here.name}/src/x.c")]


@needs_git
def test_two_revisions(here) -> None:
    commit(x=F)
    git("tag", "one")
    commit(x=G)
    git("tag", "two")
    save(x=G + "int later;\n")
    for words in (["one", "two"], ["one..two"], ["one", "two", "--", "x.c"]):
        with find_pairs(read(*words)) as (pair,):
            assert (pair.old.name, pair.new.name) == ("one:x.c", "two:x.c")
            assert (pair.old.file.read_text(), pair.new.file.read_text()) == (F, G)
            assert functions_of(pair.new) == ("f",)


@needs_git
def test_a_revision_that_is_checked_out_is_the_working_tree(here) -> None:
    commit(x=F)
    commit(x=G)
    assert names("HEAD~1", "HEAD") == [("HEAD~1:x.c", "x.c")]


@needs_git
def test_since_two_branches_parted(here) -> None:
    commit(x=F, y=F)
    git("branch", "feature")
    commit(x=G)
    git("checkout", "-q", "feature")
    commit(y=G)
    ancestor = git("merge-base", "main", "feature")[:12]
    assert names("main...feature") == [(f"{ancestor}:y.c", "y.c")]
    assert names("main..feature") == [("main:x.c", "x.c"), ("main:y.c", "y.c")]


@needs_git
def test_files_come_go_and_move(here) -> None:
    commit(gone=F, a__moved=F * 9, kept=F, same=F * 5)
    git("mv", "same.c", "renamed.c")
    Path("gone.c").unlink()
    Path("a/moved.c").unlink()
    save(b__other=F * 8 + G, fresh="int fresh;\n")
    git("add", "-A")
    save(unknown="int nobody_knows_it;\n")
    assert names("HEAD") == [("HEAD:a/moved.c", "b/other.c"), (None, "fresh.c"), ("HEAD:gone.c", None)]
    assert names("HEAD", "--", "gone.c") == [("HEAD:gone.c", None)]
    assert names("HEAD", "--", "unknown.c") == [(None, "unknown.c")]
    assert names("HEAD", "--", "b/other.c") == [("HEAD:a/moved.c", "b/other.c")]
    assert names("HEAD", "--", "renamed.c") == [("HEAD:same.c", "renamed.c")]


@needs_git
def test_nothing_changed(here) -> None:
    commit(x=F)
    assert names("HEAD") == []
    assert names("HEAD", "--", "x.c") == [("HEAD:x.c", "x.c")]


@needs_git
@pytest.mark.parametrize(
    ("words", "message", "slug"),
    [
        (["nonsense"], "`nonsense` is not a C file, a folder, or a revision of the git repository", "no-such-revision"),
        (
            ["HEAD", "nonsense"],
            "`nonsense` is not a C file, a folder, or a revision of the git repository",
            "no-such-revision",
        ),
        (["HEAD", "main"], "HEAD and main are the same commit", "same-version"),
        (["HEAD", "--", "src/y.c"], "src/y.c is neither in HEAD nor in the working tree", "not-in-revision"),
        (["HEAD", "--", "notes.txt"], "notes.txt is not a C file", "not-in-revision"),
        (["HEAD", "--", "src/x.c", "../x.c"], "../x.c is outside", "not-in-revision"),
        (["HEAD", "-f", "g"], "no function `g` is defined in HEAD or the working tree", "no-such-function"),
    ],
)
def test_what_git_does_not_know(words, message, slug, here) -> None:
    write("notes.txt", "")
    commit(src__x=F)
    with pytest.raises(TightropeError) as problem:
        names(*words)
    assert message in str(problem.value)
    assert problem.value.slug == slug


@needs_git
@pytest.mark.parametrize("words", [["HEAD~1"], ["other...main"]])
def test_a_clone_without_history_is_told(words, here, tmp_path_factory, monkeypatch) -> None:
    commit(x=F)
    git("branch", "other")
    commit(x=G)
    clone = tmp_path_factory.mktemp("clone") / "shallow"
    git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{here}", str(clone))
    monkeypatch.chdir(clone)
    git("branch", "other", "origin/other")
    with pytest.raises(TightropeError) as problem:
        names(*words)
    assert "git fetch --unshallow" in problem.value.hint


@needs_git
def test_a_revision_is_compiled_as_the_project_with_its_own_headers(here) -> None:
    """Headers that the build makes are only in the working tree, which is the last resort."""
    write("include/limit.h", "#define LIMIT 3\n")
    write(".gitignore", "build\nsrc/made_here.h\ncompile_commands.json\n")
    text = '#include <limit.h>\n#include "made.h"\n#include "made_here.h"\nint f(int a) { return a > LIMIT; }\n'
    commit(src__x=text, src__helper="int helper(void) { return 1; }\n")
    write("include/limit.h", "#error that of the working tree\n")
    write("build/made.h", "")
    write("src/made_here.h", "")
    commit(src__x=text + "int g;\n", src__added="int helper(void) { return 2; }\n")
    made = [(f"../src/{name}.c", ["-I../include", "-I.", "-DBOARD"]) for name in ("x", "added")]
    database("build", *made)
    with find_pairs(read("HEAD~1", "--", "src/x.c")) as (pair,):
        assert functions_of(pair.old) == ("f",)
        file = prepare_file(find_compiler(None), pair.old.file, pair.old.options, print)
        assert [each.name for each in file.linker.project.database.files] == ["x.c"]
        with pytest.raises(TightropeError, match="the new version: "), about(pair.new, "new"):
            functions_of(pair.new)


@needs_git
def test_flags_of_the_user_are_those_of_the_revision(here) -> None:
    write("include/limit.h", "#define LIMIT 3\n")
    commit(x="#include <limit.h>\nint f(int a) { return a > LIMIT; }\n")
    write("include/limit.h", "#define LIMIT 4\n")
    with find_pairs(read("HEAD", "--", "-Iinclude")) as (pair,):
        file = prepare_file(find_compiler(None), pair.old.file, pair.old.options, print)
        assert file.flags.kept[0].startswith("-I") and (Path(file.flags.kept[0][2:]) / "limit.h").read_text().endswith(
            "3\n"
        )


@needs_git
def test_messages_about_a_revision_know_no_temporary_folder(here) -> None:
    commit(src__x="int f(int a) { return b; }\n")
    save(src__x=F)
    with find_pairs(read("HEAD")) as (pair,), pytest.raises(TightropeError) as problem, about(pair.old, "old"):
        functions_of(pair.old)
    assert str(problem.value).startswith(
        "the old version: HEAD:src/x.c does not compile [does-not-compile]\nHEAD:src/x.c:1:"
    )
    assert "tightrope-" not in str(problem.value)


@needs_git
def test_a_repository_with_hooks_and_attributes(here, monkeypatch) -> None:
    """Nobody's hook is called, `export-ignore` leaves nothing out, line ends are as in the working tree; and we may be
    called by a hook."""
    write(".gitattributes", "x.c export-ignore text eol=crlf\n")
    commit(x=F)
    hook = write(".git/hooks/post-index-change", "#!/bin/sh\ntouch called\n")
    hook.chmod(0o755)
    monkeypatch.setenv("GIT_INDEX_FILE", str(here / "nowhere"))
    monkeypatch.setenv("GIT_DIR", "nowhere")
    with find_pairs(read("HEAD", "--", "x.c")) as (pair,):
        assert pair.old.file.read_bytes() == F.replace("\n", "\r\n").encode()
    assert not Path("called").exists() and not Path(".git/called").exists()


# --- the end -----------------------------------------------------------------------------------


def report(*, differs: bool = False, is_covered: bool = True, is_interrupted: bool = False) -> DifferenceReport:
    verdict = "covered" if is_covered else "unknown"
    objective = ReportedObjective("f:branch:+0.1:true", "branch", "branch", 1, 1, "a > 3", verdict, (), "", "")
    unit = UnitReport("new.c", "f", ("branch",), "dfs", 0, "done", (objective,), (), Statistics())
    found = (ReportedDifference("differs", {"a": 4}, ()),) if differs else ()
    function = FunctionDifference("f", "compared", "", unit=unit, differences=found)
    return DifferenceReport(Tool("tightrope", "1"), "old.c", "new.c", (function,), is_interrupted=is_interrupted)


@pytest.mark.parametrize(
    ("words", "found", "code"),
    [
        ([], {}, 0),
        ([], {"differs": True}, 0),
        (["--fail-on-difference"], {"differs": True}, 1),
        (["--fail-on-difference"], {}, 0),
        (["--fail-under", "90"], {"is_covered": False}, 1),
        (["--fail-under", "90"], {}, 0),
        (["--fail-on-difference"], {"differs": True, "is_interrupted": True}, 130),
    ],
)
def test_exit_codes(words, found, code, here) -> None:
    assert cli.show_difference(report(**found), read("old.c", "new.c", "-q", *words)) == code


@needs_git
def test_written_tests_include_the_users_file(here) -> None:
    """Not one in a folder that is gone."""
    commit(src__x=F)
    commit(src__x=G)
    save(src__x=F)
    Path("tests").mkdir()
    test = here / "tests" / "test_x.c"
    with find_pairs(read("HEAD~1", "HEAD", "-o", "tests")) as (pair,):
        flags = " ".join(pair.new.options.flags)
        test.write_text(f'/* cc {flags} {pair.new.file} */\n#include "{os.path.relpath(pair.new.file, "tests")}"\n')
    assert test.read_text() == '/* cc ../src/x.c */\n#include "../src/x.c"\n'


def test_a_pair_is_old_and_new() -> None:
    version = Version("HEAD:x.c", Path("/one/x.c"), Options(()), "/one/", "HEAD:")
    assert Pair(version, None).old.in_words("see /one/x.c:3 and /other/x.c") == "see HEAD:x.c:3 and /other/x.c"


@needs_git
def test_written_tests_and_excluded_files_are_left_out(here) -> None:
    ours = "/* Written by Tightrope: tests of `f` in x.c. */\n"
    commit(src__x=F, old__y=F, tests__test_x_f=ours + F)
    save(src__x=G, old__y=G, tests__test_x_f=ours + G)
    assert names("HEAD") == [("HEAD:old/y.c", "old/y.c"), ("HEAD:src/x.c", "src/x.c")]
    assert names("HEAD", "--exclude", "old") == [("HEAD:src/x.c", "src/x.c")]
    assert names("HEAD", "--", "s*/*.c") == [("HEAD:src/x.c", "src/x.c")]
    assert names("HEAD", "--", "tests/test_x_f.c") == [("HEAD:tests/test_x_f.c", "tests/test_x_f.c")]
    database("build", (str(Path("src/x.c").absolute()), []))
    with find_pairs(read("HEAD", "--", "build/compile_commands.json")) as (pair,):
        assert pair.new.name == "src/x.c"
        assert pair.new.options.build_dir == Path("build/compile_commands.json").absolute()


@needs_git
def test_one_file_that_does_not_compile_and_two_with_the_same_name(here, capsys) -> None:
    commit(can__util=F, lin__util=F, bad=F)
    save(can__util=G, lin__util=G, bad="int f(int a) { return b; }\n")
    assert cli.main(["diff", "HEAD", "-o", "out", "-c", "branch", "--no-confirm"]) == 4
    printed = capsys.readouterr().out
    assert "bad.c   was not compared: it does not compile: bad.c:1:23" in printed
    assert printed.count("behaves differently") == 2
    names = {"test_can_util_f_differences.c", "test_lin_util_f_differences.c"}
    assert {each.name for each in (here / "out").iterdir()} == names
