"""The command as people use it. Nothing here needs the engine: bad input is refused before it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from options_page import options_page, options_tables

from tightrope import cli
from tightrope.command_line.arguments import _COMMON, read_options
from tightrope.command_line.commands import COMMANDS
from tightrope.coverage.criteria import CRITERIA
from tightrope.errors import NothingMatchedError, UsageError
from tightrope.inputs.wishes import Wish
from tightrope.options.options import DEFAULTS, OPTIONS, Options
from tightrope.options.targets import Target, check_target, choose_functions, read_target
from tightrope.program.declarations.stubs import DEFAULT_ANSWERS
from tightrope.report.model import Report, Statistics, Tool, UnitReport
from tightrope.search.strategies import STRATEGIES
from tightrope.suite.folder import prepare_folder, write_file


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()  # the search for tightrope.toml ends here
    (tmp_path / "f.c").write_text("int f(int a) { return a > 3; }\n")
    return tmp_path


def refuse(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and the message of a command that must be refused."""
    code = cli.main(words)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("tightrope: error: ")
    assert "Traceback" not in shown.err
    return code, shown.err


BAD_USES = [
    (["generate"], "name a C file: FILE.c or FILE.c:FUNCTION"),
    (["generate", "-q", "--", "-DX"], "name a C file: FILE.c or FILE.c:FUNCTION"),
    (["explain"], "name a report: the file that"),
    (["diff"], "name the versions: two C files"),
    (["generat", "f.c"], "unknown command generat, did you mean generate?"),
    (["generate", "g.c"], "there is no file g.c"),
    (["generate", "nowhere/g.c"], "there is no folder nowhere"),
    (["annotate", "."], ". is a folder"),
    (["generate", "f.c:"], "f.c: no function is named after `:`"),
    (["generate", ":f"], ":f: no file is named before `:`"),
    (["generate", ":"], "no file is named before `:`"),
    (["generate", "f.c", "--sed", "3"], "unknown option --sed, did you mean --seed?"),
    (["generate", "f.c", "--seed"], "--seed needs a value"),
    (["generate", "f.c", "-c", "-q"], "--criterion needs a value"),
    (["generate", "f.c", "--quiet=yes"], "--quiet takes no value"),
    (["generate", "--help=yes"], "--help takes no value"),
    (["generate", "f.c", "--seed", "many"], "--seed: `many` is not a whole number"),
    (["generate", "f.c", "--time-limit", "soon"], "--time-limit: `soon` is not a number of seconds above 0"),
    (["generate", "f.c", "--time-limit", "0"], "is not a number of seconds above 0"),
    (["generate", "f.c", "--time-limit", "nan"], "is not a number of seconds above 0"),
    (["generate", "f.c", "--max-runs", "-1"], "is not a whole number above 0"),
    (["generate", "f.c", "--jobs", "1.5"], "is not a whole number above 0"),
    (
        ["generate", "f.c", "-c", "brnch"],
        f"`brnch` is not one of {', '.join(CRITERIA)}, did you mean branch?",
    ),
    (["generate", "f.c", "-s", "random"], "`random` is not one of dfs, bfs"),
    (["generate", "f.c", "--solver", "Z3"], "did you mean z3?"),
    (["generate", "f.c", "--format", "plain,boost"], "`boost` is not one of plain, unity"),
    (["generate", "f.c", "--fail-under", "101"], "`101` is not a percentage from 0 to 100"),
    (["generate", "f.c", "--fail-under", "branches=3"], "did you mean branch?"),
    (["generate", "f.c", "--input", "buffer"], "--input: `buffer` is not PATH = WISH"),
    (["generate", "f.c", "--input", "buffer=strng 4"], "unknown word `strng`, did you mean string?"),
    (["generate", "f.c", "--input", "a=3;b+1=4"], "`b+1` is not a path to an input"),
    (["generate", "f.c", "--depth", "deep"], "--depth: `deep` is not a whole number"),
    (["generate", "f.c", "--pointer", "buffer=3"], "unknown option --pointer"),
    (["generate", "f.c", "--enum", "all"], "`all` is not one of members, any"),
    (["generate", "f.c", "--assume", " "], "an assumption is a C expression"),
    (["generate", "f.c", "--spec", "gone.toml"], "there is no spec file gone.toml"),
    (["generate", "f.c", "-Iinclude"], "flags for the compiler go after --"),
    (["--seed", "3", "generate", "f.c"], "--seed comes before the command"),
    (["objectives", "--suite", "gone", "f.c"], "--suite is an option of `generate`, `measure` and `diff`"),
    (["generate", "f.c", "--suite", "gone"], "--suite: there is no gone"),
    (["generate", "f.c", "--listing"], "--listing is an option of `diff`, not of `generate`"),
    (["measure", "f.c", "--seed=3"], "--seed is an option of `generate` and `diff`, not of `measure`"),
    (["inputs", "f.c", "-obuild"], "-o is an option of `generate` and `diff`, not of `inputs`"),
    (["explain", "r.json", "-c", "branch"], "not of `explain`"),
    (["diff", "a.c", "b.c", "--listng"], "unknown option --listng, did you mean --listing?"),
    (["criteria", "branch"], "`criteria` takes no arguments"),
    (["criteria", "--branch", "x"], "unknown option --branch"),
    (["criteria", "--", "-DX"], "`criteria` takes nothing after --"),
    (["explain", "r.json", "--", "-DX"], "`explain` takes nothing after --"),
]


@pytest.mark.parametrize(("words", "message"), BAD_USES)
def test_bad_use_is_one_message_and_exit_2(words, message, in_folder, capsys) -> None:
    code, shown = refuse(capsys, *words)
    assert code == 2
    assert message in shown


def test_missing_file_suggests_a_near_one(in_folder, capsys) -> None:
    (in_folder / "sort.c").write_text("int f;")
    assert "did you mean sort.c?" in refuse(capsys, "generate", "srot.c")[1]


def test_folder_suggests_a_file_in_it(in_folder, capsys) -> None:
    assert "f.c" in refuse(capsys, "annotate", str(in_folder))[1]


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_empty_file_is_nothing_to_test(text, in_folder, capsys) -> None:
    (in_folder / "empty.c").write_text(text)
    code, shown = refuse(capsys, "generate", "empty.c")
    assert code == 5
    assert "empty.c is empty" in shown


def test_unreadable_file(in_folder, capsys, monkeypatch) -> None:
    def refuse_to_read(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse_to_read)
    code, shown = refuse(capsys, "generate", "f.c")
    assert code == 2
    assert "f.c cannot be read: Permission denied" in shown


def test_no_arguments_shows_help(capsys) -> None:
    assert cli.main([]) == 2
    assert "generate" in capsys.readouterr().err


def test_version_and_help(capsys) -> None:
    for words in (["--version"], ["help"], ["--help"]):
        shown = helped(capsys, *words)
    assert helped(capsys, "help") == shown
    assert helped(capsys, "help", "explain") == helped(capsys, "explain", "--help")
    assert all(f"\n  {name} " in shown and one.help in shown for name, one in COMMANDS.items())


def helped(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_fits_a_screen_and_help_all_lists_its_own_options(name, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    common, shown = helped(capsys, name, "--help"), helped(capsys, name, "--help-all")
    for key, option in OPTIONS.items():
        flags = f"  {', '.join(option.flags)}"
        assert (flags in shown) == (name in option.commands), option.flag
        assert flags not in common or flags in shown
        assert flags in common or name not in option.commands or key not in _COMMON
    assert common == shown or f"`tightrope {name} --help-all` lists all" in common
    assert common.count("\n") <= 70
    assert all(len(line) <= 100 for line in shown.splitlines())
    assert shown.rstrip().endswith(COMMANDS[name].epilog)


def test_common_options_exist() -> None:
    assert set(OPTIONS) >= _COMMON


def test_names_of_criteria_and_strategies_are_listed(capsys) -> None:
    for command, table in (("criteria", CRITERIA), ("strategies", STRATEGIES)):
        assert cli.main([command]) == 0
        shown = capsys.readouterr().out
        assert [line.split()[0] for line in shown.splitlines()] == list(table)
        assert all(each.help in shown for each in table.values())


def test_every_command_is_run_and_every_option_is_of_some() -> None:
    assert list(cli.RUN) == list(COMMANDS)
    assert all(option.commands and set(option.commands) <= set(COMMANDS) for option in OPTIONS.values())


def test_a_file_may_stand_behind_options(in_folder) -> None:
    assert read("-q", "f.c:f").targets == (Target(Path("f.c")), Target(Path("f.c"), "f"))


def test_a_value_with_a_dash_can_be_said_again(in_folder) -> None:
    assert read("--assume=-1 < a", "--seed", "3").words == ("--assume=-1 < a", "--seed", "3")


def test_python_dash_m(tmp_path: Path) -> None:
    source = str(Path(cli.__file__).parent.parent)
    command = [sys.executable, "-m", "tightrope", "generate", "gone.c"]
    environment = {**os.environ, "PYTHONPATH": source}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("tightrope: error: there is no file gone.c")


# --- options -----------------------------------------------------------------------------------


def read(*words: str) -> Options:
    return read_options(["generate", "f.c", *words])


def test_defaults(in_folder) -> None:
    options = read()
    assert options.targets == (Target(Path("f.c")),)
    assert all(getattr(options, name) == default for name, default in DEFAULTS.items())
    assert options.criteria == ("mcdc", "branch")
    assert options.answers == DEFAULT_ANSWERS
    assert options.output == Path("tightrope-tests")


def test_everything_given(in_folder) -> None:
    options = read(
        "f.c:f", "-f", "f,g", "-f", "h", "-c", "statement,branch,statement", "-s", "bfs", "--time-limit", "2m",
        "--assume", "a > 0", "--assume", "a < 9", "--input", "p=3", "--input", "q->next=0", "--fail-under", "90",
        "--fail-under", "branch=95.5", "--exhaustive", "--no-confirm", "-q", "--", "-Iinc", "--", "-DX=1",
    )  # fmt: skip
    assert options.targets == (Target(Path("f.c")), Target(Path("f.c"), "f"))
    assert options.functions == ("f", "g", "h")
    assert options.criteria == ("statement", "branch")
    assert (options.strategy, options.time_limit) == ("bfs", 120.0)
    assert options.assumptions == ("a > 0", "a < 9")
    assert options.wishes == (("p", Wish(kind="array", count=3)), ("q->next", Wish(null="null")))
    assert options.fail_under == (("", 90.0), ("branch", 95.5))
    assert options.exhaustive and options.no_confirm and options.quiet
    assert options.flags == ("-Iinc", "--", "-DX=1")


def test_equals_sign_form(in_folder) -> None:
    assert read("--time-limit=5").time_limit == 5.0


def test_abbreviations_are_not_guessed(in_folder) -> None:
    with pytest.raises(UsageError, match="unknown option --time, did you mean"):
        read("--time", "5")


def test_file_with_a_colon_in_its_name(in_folder) -> None:
    (in_folder / "a:b").write_text("int f;")
    assert read_target("a:b") == Target(Path("a:b"))
    assert read_target("f.c:g") == Target(Path("f.c"), "g")
    for name in ("c:", ":c"):
        (in_folder / name).write_text("int f;")
        check_target(read_target(name), may_be_many=False)


def test_every_option_is_documented_once() -> None:
    flags = [flag for option in OPTIONS.values() for flag in option.flags]
    assert len(flags) == len(set(flags))
    assert all(option.help and not option.help.endswith(".") for option in OPTIONS.values())
    assert all(option.is_switch or option.metavar for option in OPTIONS.values())
    table = "\n".join(options_tables())
    assert all(flag in table for flag in flags)


def test_the_page_of_options_is_current() -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "options.md"
    assert page.read_text() == options_page(), "make docs"


def test_criteria_have_help() -> None:
    assert all(name == each.name and each.help and each.__doc__ for name, each in CRITERIA.items())


# --- functions ---------------------------------------------------------------------------------

SORT = Target(Path("sort.c"))


def test_every_function_when_none_is_named() -> None:
    assert choose_functions([(SORT, ["a", "b"])]) == ((SORT, ("a", "b")),)


def test_named_functions_in_the_order_of_the_file() -> None:
    assert choose_functions([(SORT, ["a", "b", "c"])], ["c", "a"]) == ((SORT, ("a", "c")),)


def test_name_may_be_in_another_of_the_files() -> None:
    other = Target(Path("other.c"))
    assert choose_functions([(SORT, ["a"]), (other, ["b"])], ["b"]) == ((SORT, ()), (other, ("b",)))


@pytest.mark.parametrize(
    ("name", "hint"),
    [("merg", "did you mean merge or"), ("sort", "merge_sort"), ("xyz", "it defines `merge`, `merge_sort`, `swap`")],
)
def test_no_such_function_lists_near_names(name: str, hint: str) -> None:
    with pytest.raises(NothingMatchedError, match=f"no function `{name}` is defined in sort.c") as problem:
        choose_functions([(Target(Path("sort.c"), name), ["merge", "merge_sort", "swap"])])
    assert hint in str(problem.value)
    assert problem.value.exit_code == 5


def test_no_such_function_in_many_files_is_told_in_one_line() -> None:
    files = [(Target(Path(f"{name}.c")), [f"{name}_init"]) for name in "abcde"]
    with pytest.raises(NothingMatchedError) as problem:
        choose_functions(files, ["xyz"])
    assert problem.value.message == "no function `xyz` is defined in a.c, b.c, c.c and 2 more files"
    assert problem.value.hint.startswith("they define `a_init`, `b_init`")


def test_file_without_functions() -> None:
    with pytest.raises(NothingMatchedError, match="defines no function"):
        choose_functions([(SORT, [])])


# --- output ------------------------------------------------------------------------------------


def test_output_folder_is_made(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_output_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        with pytest.raises(UsageError, match="is a file, not a folder"):
            prepare_folder(folder)


def test_output_folder_without_permission(tmp_path: Path, monkeypatch) -> None:
    def refuse_to_make(*arguments: object, **rest: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse_to_make)
    with pytest.raises(UsageError, match=r"cannot write to .*: Permission denied"):
        prepare_folder(tmp_path)


def test_own_file_is_replaced_and_a_users_file_is_not(tmp_path: Path) -> None:
    file = tmp_path / "test_f.c"
    write_file(file, "/* Written by Tightrope 1 */\nold\n")
    write_file(file, "/* Written by Tightrope 2 */\nnew\n")
    assert "new" in file.read_text()
    file.write_text("/* mine */\n/* Written by Tightrope */\n")
    with pytest.raises(UsageError, match="was not written by Tightrope"):
        write_file(file, "/* Written by Tightrope 3 */\n")
    assert "mine" in file.read_text()
    assert sorted(tmp_path.iterdir()) == [file]


def test_nothing_half_written_stays_behind(tmp_path: Path, monkeypatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(UsageError, match="No space left on device"):
        write_file(tmp_path / "x.c", "text")
    assert list(tmp_path.iterdir()) == []


def test_device_is_written_to_not_replaced(tmp_path: Path) -> None:
    write_file(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()


# --- the end -----------------------------------------------------------------------------------


def report(*, is_interrupted: bool = False) -> Report:
    unit = UnitReport("f.c", "f", ("branch",), "dfs", 0, "done", (), (), Statistics())
    return Report(Tool("tightrope", "1"), (unit,), is_interrupted=is_interrupted)


def test_exit_codes_of_a_finished_run(in_folder, capsys) -> None:
    assert cli.show(report(), read()) == 0
    assert cli.show(report(is_interrupted=True), read()) == 130
    assert capsys.readouterr().out.count("nothing to cover") == 2


def test_json_on_standard_output_is_alone_there(in_folder, capsys) -> None:
    cli.show(report(), read("--json", "-"))
    assert json.loads(capsys.readouterr().out)["tool"]["name"] == "tightrope"


def test_json_to_a_file_that_is_not_ours(in_folder) -> None:
    cli.show(report(), read("--json", "report.json", "-q"))
    cli.show(report(), read("--json", "report.json", "-q"))
    (in_folder / "report.json").write_text("{}")
    with pytest.raises(UsageError, match="was not written by Tightrope"):
        cli.show(report(), read("--json", "report.json", "-q"))


def test_interrupt_before_anything_was_found(in_folder, capsys, monkeypatch) -> None:
    def interrupt(words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupt)
    assert cli.main(["generate", "f.c"]) == 130


def test_a_bug_of_ours_says_so(in_folder, capsys, monkeypatch) -> None:
    def fail(words: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(cli, "_run", fail)
    assert cli.main(["generate", "f.c"]) == 3
    assert "this is a bug in Tightrope" in capsys.readouterr().err
