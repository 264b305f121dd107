"""The spec file: a mistake in it is one message with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.command_line.arguments import read_options
from tightrope.errors import UsageError
from tightrope.inputs.wishes import Wish
from tightrope.options.config_file import find_spec, read_spec
from tightrope.options.options import OPTIONS


def spec(folder: Path, text: str) -> Path:
    file = folder / "tightrope.toml"
    file.write_text(text)
    return file


WHOLE = """\
criterion = "statement"
strategy = "bfs"
time-limit = 30
exhaustive = true
assume = "n >= 0"
output = "tests"
format = ["plain", "json"]
fail-under = 90
flags = ["-Iinclude"]

[function.parse]
time-limit = "2m"
assume = ["length <= 6", "length > 0"]
depth = 5

[function.parse.input]
buffer = 6
"list->next" = 0
"cfg->table[_].name" = "string 12, not-null"
"""


def test_whole_file(tmp_path: Path) -> None:
    read = read_spec(spec(tmp_path, WHOLE))
    assert read.given == {
        "criteria": ("statement",),
        "strategy": "bfs",
        "time_limit": 30.0,
        "exhaustive": True,
        "assumptions": ("n >= 0",),
        "output": tmp_path / "tests",
        "formats": ("plain", "json"),
        "fail_under": (("", 90.0),),
    }
    assert read.flags == ("-Iinclude",)
    assert read.per_function["parse"] == {
        "time_limit": 120.0,
        "assumptions": ("length <= 6", "length > 0"),
        "depth": 5,
        "wishes": (
            ("buffer", Wish(kind="array", count=6)),
            ("list->next", Wish(null="null")),
            ("cfg->table[_].name", Wish(kind="string", count=12, null="not-null")),
        ),
    }


MISTAKES = [
    ("time-limt = 3", "tightrope.toml:1: unknown key time-limt, did you mean time-limit?"),
    ("\ntime_limit = 3", "tightrope.toml:2: unknown key time_limit, did you mean time-limit?"),
    ("quiet = true", "unknown key quiet; known keys: "),
    ("seed = 1\n[function.f]\nasume = []", "tightrope.toml:3: unknown key asume in [function.f], did you mean assume?"),
    ("[function.f]\njobs = 3", "tightrope.toml:2: unknown key jobs in [function.f]"),
    ("[functions.f]\nseed = 3", "tightrope.toml:1: unknown key functions, did you mean function?"),
    ("function = 3", "write [function.NAME]"),
    ("[function]\nseed = 3", "write [function.NAME]"),
    ("time-limit = 'soon'", "tightrope.toml:1: time-limit: `soon` is not a number of seconds"),
    ("criterion = 'brnch'", "mutation, did you mean branch?"),
    ("exhaustive = 1", "exhaustive: `1` is neither true nor false"),
    ("seed = true", "seed: `True` is not a valid value"),
    ("[input]\na = 'arry 3'", "tightrope.toml:2: input: unknown word `arry`, did you mean array?"),
    ("depth = 1\n[function.f]\ninput = { b = 1, a = 'x' }", "tightrope.toml:3: input: unknown word `x`"),
    ("[function.g.input]\na = 1\n[function.f.input]\na = true", "tightrope.toml:4: input: `True` is neither a number"),
    ("[input]\ncfg.name = 3", 'tightrope.toml:2: write the path in quotes: "cfg.name" = ...'),
    ("input = ['a']", "tightrope.toml:1: input: `a` is not PATH = WISH"),
    ("assume = [1]", "assume is not a list of strings"),
    ("flags = '-I' + 1", "the spec file is not valid TOML"),
    ("seed = \n", "tightrope.toml:1:8: the spec file is not valid TOML: Invalid value"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistake(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as problem:
        read_spec(spec(tmp_path, text))
    assert message in str(problem.value)
    assert problem.value.exit_code == 2


def test_command_line_wins_and_lists_add_up(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.c").write_text("int f(void) { return 0; }")
    spec(tmp_path, WHOLE)
    options = read_options(["generate", "f.c", "-s", "dfs", "--assume", "n < 9", "--", "-DX"])
    assert options.strategy == "dfs"
    assert options.criteria == ("statement",)
    assert options.assumptions == ("n >= 0", "n < 9")
    assert options.flags == ("-Iinclude", "-DX")
    assert options.for_function("parse").assumptions == ("n >= 0", "length <= 6", "length > 0", "n < 9")
    assert options.for_function("parse").time_limit == 120.0
    assert options.for_function("other") is options


def test_command_line_wins_over_what_the_spec_says_of_a_function(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.c").write_text("int f(void) { return 0; }")
    spec(tmp_path, WHOLE)
    words = ["generate", "f.c", "--time-limit", "1", "--input", "buffer=9", "--depth", "2"]
    options = read_options(words).for_function("parse")
    assert (options.time_limit, options.depth) == (1.0, 2)
    assert [path for path, _ in options.wishes] == ["buffer", "list->next", "cfg->table[_].name", "buffer"]
    assert options.wishes_for("parse") == options.wishes
    assert options.wishes_for("other") == options.wishes[-1:]


def test_named_spec_replaces_the_found_one(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.c").write_text("int f(void) { return 0; }")
    spec(tmp_path, "seed = 1")
    (tmp_path / "other.toml").write_text("strategy = 'bfs'")
    options = read_options(["generate", "f.c", "--spec", "other.toml"])
    assert (options.seed, options.strategy) == (0, "bfs")


def test_spec_is_looked_for_up_to_the_top_of_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "src"
    inner.mkdir(parents=True)
    file = spec(tmp_path, "seed = 1")
    assert find_spec(inner) == file
    (tmp_path / "repository" / ".git").mkdir()
    assert find_spec(inner) is None


def test_a_folder_or_binary_file_as_spec(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for file in (tmp_path, tmp_path / "binary.toml"):
        with pytest.raises(UsageError, match="cannot be read"):
            read_spec(file)


def test_keys_are_the_long_options() -> None:
    keys = [option.key for option in OPTIONS.values() if option.in_spec]
    assert "time-limit" in keys and "criterion" in keys and len(keys) == len(set(keys))
