"""The commands as functions of Python: the same options, the same messages, and what they return."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import tightrope
from tightrope import api
from tightrope.command_line.arguments import read_options
from tightrope.command_line.commands import COMMANDS
from tightrope.options.options import OPTIONS

KEYWORDS = {
    "generate": api.GenerateOptions,
    "measure": api.MeasureOptions,
    "objectives": api.ObjectivesOptions,
    "diff": api.DiffOptions,
}


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # the search for tightrope.toml ends here
    (tmp_path / "f.c").write_text("int f(int a) { return a > 3 ? 1 : 0; }\n")
    (tmp_path / "g.c").write_text("int f(int a) { return a > 4 ? 1 : 0; }\n")
    return tmp_path


# --- keywords ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEYWORDS)
def test_keywords_are_the_options_of_the_command(name) -> None:
    own = {name_: option for name_, option in OPTIONS.items() if name in option.commands}
    expected = {option.key.replace("-", "_") for each, option in own.items() if each not in api.NOT_OF_PYTHON}
    kinds = typing.get_type_hints(KEYWORDS[name])
    assert set(kinds) == expected
    switches = {option.key.replace("-", "_") for option in own.values() if option.is_switch} & expected
    assert {keyword for keyword, kind in kinds.items() if kind is bool} == switches
    (rest,) = (
        each for each in inspect.signature(getattr(api, name)).parameters.values() if each.kind is each.VAR_KEYWORD
    )
    assert rest.annotation == f"Unpack[{KEYWORDS[name].__name__}]"


def read(command: str, *operands: str, flags=(), **given):
    return api._read(command, operands, given, ("--", *flags))


def test_values_of_python_are_read_as_texts_are(in_folder) -> None:
    made = read(
        "generate", "f.c", flags=["-DX"], criterion=["mcdc", "wm"], time_limit=2.5, seed=3, exhaustive=True,
        no_filter=False, max_runs=None, output=Path("out"), assume=["-1 < a", "a < 9"], function=("f", "g"),
        input={"p": 3, "q->next": "null"}, partition={"sign": ["a < 0", "a >= 0"]}, link=[Path("g.c"), "auto"],
    )  # fmt: skip
    said = read_options(
        [
            "generate", "f.c", "-q", "-c", "mcdc,wm", "--time-limit", "2.5", "--seed", "3", "--exhaustive", "-o", "out",
            "--assume=-1 < a", "--assume", "a < 9", "-f", "f,g", "--input", "p=3", "--input", "q->next=null",
            "--partition", "sign=a < 0; a >= 0", "--link", "g.c", "--link", "auto", "--", "-DX",
        ]
    )  # fmt: skip
    assert {name: getattr(made, name) for name in OPTIONS} == {name: getattr(said, name) for name in OPTIONS}
    assert (made.targets, made.flags) == (said.targets, said.flags)


def test_the_spec_file_counts(in_folder) -> None:
    (in_folder / "tightrope.toml").write_text('criterion = "statement"\nseed = 7\n')
    assert read("generate", "f.c", seed=3).criteria == ("statement",)
    assert read("generate", "f.c", seed=3).seed == 3


def test_files_and_flags_of_two_versions(in_folder) -> None:
    found = api._read("diff", ("HEAD~1",), {}, ("--", "src/x.c", "--", "-Iinclude"))
    assert (found.subjects, found.flags) == (("HEAD~1", "--", "src/x.c"), ("-Iinclude",))


MISTAKES = [
    ({"seed": "many"}, ["--seed=many"]),
    ({"seed": 1.5}, ["--seed=1.5"]),
    ({"time_limit": -1}, ["--time-limit=-1"]),
    ({"criterion": ["branch", "lines"]}, ["--criterion=branch,lines"]),
    ({"input": {"p": "strng 4"}}, ["--input=p=strng 4"]),
    ({"tme_limit": 3}, ["--tme-limit"]),
    ({"criteria": "branch"}, ["--criteria"]),
    ({"listing": True}, ["--listing"]),
    ({"spec": "gone.toml"}, ["--spec=gone.toml"]),
]


@pytest.mark.parametrize(("given", "words"), MISTAKES, ids=lambda each: str(each))
def test_a_mistake_has_the_message_of_the_command_line(given, words, in_folder) -> None:
    with pytest.raises(tightrope.UsageError) as here:
        tightrope.generate("f.c", **given)
    with pytest.raises(tightrope.UsageError) as there:
        read_options(["generate", "f.c", *words])
    assert str(here.value) == str(there.value)
    assert here.value.slug == there.value.slug and here.value.slug


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"output": ["a", "b"]}, "--output: `['a', 'b']` is not a string, a path or a number ["),
        ({"output": True}, "--output: `True` is not a string, a path or a number ["),
        ({"output": b"o1"}, "--output: `b'o1'` is not a string, a path or a number ["),
        ({"output": {"a": 1}}, "--output: `{'a': 1}` is not a string, a path or a number ["),
        ({"seed": True}, "--seed: `True` is not"),
        ({"seed": [1]}, "--seed: `[1]` is not"),
        ({"criterion": b"mcdc"}, "--criterion: `b'mcdc'` is not a string, a path or a number, or a list of them ["),
        ({"criterion": ["mcdc", True]}, "--criterion: `True` is not"),
        ({"criterion": {"mcdc"}}, "a set has no order: write a list"),
        ({"assume": [["a < 3"]]}, "--assume: `['a < 3']` is not"),
        ({"function": {"f": 1}}, "--function: `{'f': 1}` is not a string"),
        ({"input": {"a": True}}, "--input: `True` is not a string, a path or a number, or a list of them, or a dict ["),
        ({"input": {"a": ["string 3", "not-null"]}}, "--input: `['string 3', 'not-null']` is not"),
        ({"partition": {"sign": [b"a < 0"]}}, "--partition: `b'a < 0'` is not"),
    ],
    ids=str,
)
def test_a_value_of_a_wrong_type_is_refused(given, message, in_folder) -> None:
    with pytest.raises(tightrope.UsageError) as refused:
        tightrope.generate("f.c", **given)
    assert message in str(refused.value)
    assert refused.value.slug == "option-value"
    assert sorted(file.name for file in in_folder.iterdir()) == [".git", "f.c", "g.c"]


def test_lists_are_for_options_that_take_several(in_folder) -> None:
    made = read(
        "measure", "f.c", tests=("t1", "t2"), suite=[Path("a.c")], input=[{"a": 3}, "b=4"], stub_writes={"g:1": 2}
    )
    said = read_options(
        ["measure", "f.c", "-q", "--tests=t1,t2", "--suite=a.c", "--input=a=3", "--input=b=4", "--stub-writes=g:1=2"]
    )
    assert {name: getattr(made, name) for name in OPTIONS} == {name: getattr(said, name) for name in OPTIONS}


def test_flags_and_files_are_lists(in_folder) -> None:
    for run in (tightrope.generate, tightrope.measure, tightrope.objectives, tightrope.diff):
        with pytest.raises(tightrope.UsageError, match=r"flags is a list: flags=\['-DX=1'\] \[option-value\]"):
            run("f.c", flags="-DX=1")
    with pytest.raises(tightrope.UsageError, match=r"files is a list: files=\['f\.c'\]"):
        tightrope.diff("HEAD", files="f.c")
    with pytest.raises(tightrope.UsageError, match="flags is a list"):
        tightrope.generate("f.c", flags=b"-DX=1")
    with pytest.raises(tightrope.UsageError, match="flags: `3` is not a string"):
        tightrope.generate("f.c", flags=["-DX", 3])
    assert list(api._flags(["-I", Path("include")])) == ["-I", "include"]


@pytest.mark.parametrize("operand", [["f.c", "g.c"], 3, None, b"f.c"], ids=str)
def test_what_cannot_be_a_file_is_refused(operand, in_folder) -> None:
    for run in (tightrope.generate, tightrope.diff):
        with pytest.raises(tightrope.UsageError, match="files are separate arguments, each a str or a Path") as refused:
            run(operand)
        assert f"`{operand!r}` is not the name of a file" in str(refused.value)


def test_mistakes_that_only_python_has(in_folder) -> None:
    with pytest.raises(tightrope.UsageError, match="--exhaustive: `yes` is neither true nor false"):
        tightrope.generate("f.c", exhaustive="yes")
    with pytest.raises(tightrope.UsageError, match="--fail-under is about the exit status"):
        tightrope.generate("f.c", fail_under=90)
    with pytest.raises(tightrope.UsageError, match=r"name a C file: FILE\.c"):
        tightrope.generate()
    with pytest.raises(tightrope.UsageError, match="there is no file --help"):
        tightrope.measure("--help")
    with pytest.raises(tightrope.NothingMatchedError):
        tightrope.objectives("f.c:h")


# --- results -----------------------------------------------------------------------------------


def test_generate_measure_objectives_and_diff(in_folder, capfd) -> None:
    report = tightrope.generate("f.c", criterion="branch", output="tests", json="r.json")
    assert isinstance(report, tightrope.Report)
    assert report.score("branch") == tightrope.Score(covered=2)
    assert Path("tests/test_f.c").is_file() and Path("r.json").is_file()
    assert report.units[0].command == ("generate", "f.c:f", "--criterion", "branch")

    measured = tightrope.measure("f.c", suite="tests", criterion="branch")
    assert measured.score("branch").covered == 2

    (listed,) = tightrope.objectives("f.c", criterion=["branch"])
    assert isinstance(listed, tightrope.ListedFunction)
    assert [each.id for each in listed.objectives] == [each.id for each in report.units[0].objectives]

    found = tightrope.diff("f.c", "g.c", criterion="branch", output="more")
    assert isinstance(found, tightrope.DifferenceReport)
    assert found.functions[0].differences[0].inputs == {"a": 4}
    assert capfd.readouterr().out == ""


# --- the package -------------------------------------------------------------------------------


def test_import_is_light() -> None:
    """Neither the solver nor LLVM, and not even argparse."""
    script = "import sys, tightrope; print(*sorted(each.split('.')[0] for each in sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(Path(tightrope.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert not {"rich", "llvmlite", "bitwuzla", "jinja2", "argparse"} & set(done.stdout.split())


def test_starting_loads_no_table() -> None:
    script = "import sys\nfrom tightrope import cli\ncli.main(['generate', 'gone.c', '-o', 'x'])\nprint(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(tightrope.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in done.stdout.split() if name.startswith("tightrope.")}
    assert rooms <= {"cli", "command_line", "options", "errors", "location", "version"}


def test_every_public_name_is_there() -> None:
    assert all(getattr(tightrope, name) for name in tightrope.__all__)
    assert dir(tightrope) == sorted(tightrope.__all__)
    assert not hasattr(tightrope, "generate_tests")
    homes = {name for names in tightrope._HOMES.values() for name in names}
    assert homes | {"__version__"} == set(tightrope.__all__)
    assert set(KEYWORDS) <= set(COMMANDS)


def test_types_come_with_the_package() -> None:
    assert (Path(tightrope.__file__).parent / "py.typed").is_file()
