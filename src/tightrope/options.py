"""Every option once: name, how it is read, default, help sentence.

The parser, the spec file, validation and the table in the docs all derive from the fields of `Options`.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tightrope.objectives.criteria import CRITERIA
from tightrope.search.strategies import STRATEGIES
from tightrope.solving.backends import BACKENDS
from tightrope.suite.writers import WRITERS
from tightrope.targets import Target

SOLVERS = tuple(BACKENDS)
FORMATS = tuple(WRITERS)


def _listed(table: Mapping[str, Any]) -> str:
    """Names of a table with their help: `dfs (the deepest ...), bfs (...)`."""
    return ", ".join(f"{name} ({row.help})" for name, row in table.items())


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of `Options` is given by people. `read` raises ValueError with the sentence to show."""

    flags: tuple[str, ...]  # ('-c', '--criterion')
    help: str  # one sentence, without the default
    read: Callable[[str], Any] = str
    metavar: str = ""
    repeats: bool = False  # may be given several times; the values are joined
    is_switch: bool = False  # takes no value
    for_function: bool = False  # may stand under [function.NAME] of a spec file
    in_spec: bool = True
    is_path: bool = False  # in a spec file: relative to its folder

    @property
    def key(self) -> str:
        """The name in a spec file: the long flag without dashes."""
        return max(self.flags, key=len).removeprefix("--")


def _option(default: Any, *flags: str, **rest: Any) -> Any:
    return field(default=default, metadata={"option": Option(flags, **rest)})


def read_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"`{text}` is not a whole number above 0")
    return int(text)


def read_seed(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"`{text}` is not a whole number")
    return int(text)


def read_seconds(text: str) -> float:
    """Seconds: '60', '0.5', '60s', '5m'."""
    scale = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(text[-1:], 0.0)
    try:
        seconds = float(text[:-1]) * scale if scale else float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise ValueError(f"`{text}` is not a number of seconds above 0 (write 60, 0.5 or 5m)")
    return seconds


def read_choice(names: Iterable[str]) -> Callable[[str], str]:
    """A reader of one word out of a table."""
    known = tuple(names)

    def read(text: str) -> str:
        if text not in known:
            raise ValueError(f"`{text}` is not one of {', '.join(known)}{suggestion(text, known)}")
        return text

    return read


def read_choices(names: Iterable[str]) -> Callable[[str], tuple[str, ...]]:
    """A reader of a comma list of words out of a table; repeated words count once."""
    read_one = read_choice(names)

    def read(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(read_one(word.strip()) for word in text.split(",")))

    return read


def read_pointer(text: str) -> tuple[tuple[str, int], ...]:
    """`buffer=8`: what `buffer` points to has 8 elements."""
    path, equals, count = text.rpartition("=")
    if not equals or not path.strip():
        raise ValueError(f"`{text}` is not PATH=COUNT, such as buffer=8")
    if not count.strip().isdigit():
        raise ValueError(f"`{count.strip()}` in `{text}` is not a number of elements")
    return ((path.strip(), int(count)),)


def read_threshold(text: str) -> tuple[tuple[str, float], ...]:
    """`90` (every criterion asked for) or `branch=90`, several with commas. '' stands for every criterion."""
    return tuple(_one_threshold(part.strip()) for part in text.split(","))


def _one_threshold(text: str) -> tuple[str, float]:
    name, _, percent = text.rpartition("=")
    if name:
        read_choice(CRITERIA)(name)
    try:
        value = float(percent.rstrip("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ValueError(f"`{percent}` is not a percentage from 0 to 100")
    return name, value


_LITERALS = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
_CHANGES = re.compile(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")


def read_expression(text: str) -> tuple[str, ...]:
    if not text.strip():
        raise ValueError("an assumption is a C expression, such as 'n >= 0 && n <= 5'")
    if _CHANGES.search(_LITERALS.sub("0", text)):
        raise ValueError(f"`{text.strip()}` would change something; an assumption only looks (is == meant?)")
    return (text.strip(),)


def read_words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def suggestion(word: str, known: Iterable[str]) -> str:
    """`, did you mean X?`, or nothing."""
    by_lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1)
    return f", did you mean {by_lower[near[0]]}?" if near else ""


@dataclass(frozen=True, slots=True)
class Options:
    """What `tightrope generate` was asked to do. Packages below get plain values out of it."""

    targets: tuple[Target, ...]
    flags: tuple[str, ...] = ()  # for the compiler: what stands after `--`

    functions: tuple[str, ...] = _option(
        (), "-f", "--function", metavar="NAME", read=read_words, repeats=True, in_spec=False,
        help="only this function of the files; may be repeated",
    )  # fmt: skip
    criteria: tuple[str, ...] = _option(
        ("branch",), "-c", "--criterion", metavar="NAME[,NAME]", read=read_choices(CRITERIA), for_function=True,
        help=f"what must be covered: {_listed(CRITERIA)}",
    )  # fmt: skip
    strategy: str = _option(
        "bfs", "-s", "--strategy", metavar="NAME", read=read_choice(STRATEGIES), for_function=True,
        help=f"what is tried next: {_listed(STRATEGIES)}",
    )  # fmt: skip
    exhaustive: bool = _option(
        False, "--exhaustive", is_switch=True, for_function=True,
        help="explore all paths, whatever is covered already",
    )  # fmt: skip
    time_limit: float = _option(
        60.0, "--time-limit", metavar="SECONDS", read=read_seconds, for_function=True,
        help="stop the search of a function after this time",
    )  # fmt: skip
    max_runs: int | None = _option(
        None, "--max-runs", metavar="N", read=read_count, for_function=True,
        help="stop the search of a function after this many runs",
    )  # fmt: skip
    seed: int = _option(
        0, "--seed", metavar="N", read=read_seed,
        help="seed of every random choice: the same seed gives the same bytes",
    )  # fmt: skip
    solver: str = _option(
        "bitwuzla", "--solver", metavar="NAME", read=read_choice(SOLVERS),
        help=f"the SMT solver: {_listed(BACKENDS)}",
    )  # fmt: skip
    solver_time_limit: float = _option(
        5.0, "--solver-time-limit", metavar="SECONDS", read=read_seconds,
        help="give up on a query of the solver after this time",
    )  # fmt: skip
    run_time_limit: float = _option(
        1.0, "--run-time-limit", metavar="SECONDS", read=read_seconds,
        help="a run of the function that takes longer has timed out",
    )  # fmt: skip
    memory_limit: int = _option(
        1024, "--memory-limit", metavar="MIB", read=read_count,
        help="memory that a run of the function may use, in mebibytes",
    )  # fmt: skip
    assumptions: tuple[str, ...] = _option(
        (), "--assume", metavar="EXPRESSION", read=read_expression, repeats=True, for_function=True,
        help="a C expression over parameters and globals that holds at the call; may be repeated",
    )  # fmt: skip
    spec: Path | None = _option(  # noqa: RUF009
        None, "--spec", metavar="FILE.toml", read=Path, in_spec=False,
        help="read options from this file, instead of from tightrope.toml in this folder or above",
    )  # fmt: skip
    pointers: tuple[tuple[str, int], ...] = _option(
        (), "--pointer", metavar="PATH=COUNT", read=read_pointer, repeats=True, for_function=True,
        help="how many elements a pointer points to, such as buffer=8 or list->next=0 (NULL); may be repeated",
    )  # fmt: skip
    max_elements: int = _option(
        64, "--max-elements", metavar="N", read=read_count, for_function=True,
        help="at most this many elements of an array are inputs; the others are zero",
    )  # fmt: skip
    enum: str = _option(
        "members", "--enum", metavar="WHICH", read=read_choice(("members", "any")), for_function=True,
        help="values of an enum: members (only the named ones), any (every number of its type)",
    )  # fmt: skip
    output: Path = _option(  # noqa: RUF009
        Path("tightrope-tests"), "-o", "--output", metavar="DIR", read=Path, is_path=True,
        help="folder for the written tests",
    )  # fmt: skip
    formats: tuple[str, ...] = _option(
        ("plain",), "--format", metavar="NAME[,NAME]", read=read_choices(FORMATS),
        help=f"how tests are written: {_listed(WRITERS)}",
    )  # fmt: skip
    json: str | None = _option(
        None, "--json", metavar="FILE", in_spec=False,
        help="write the report as JSON to this file; - is standard output",
    )  # fmt: skip
    fail_under: tuple[tuple[str, float], ...] = _option(
        (), "--fail-under", metavar="[CRITERION=]PERCENT", read=read_threshold, repeats=True,
        help="exit with 1 when less of what is not proved infeasible is covered; may be repeated",
    )  # fmt: skip
    build_dir: Path | None = _option(  # noqa: RUF009
        None, "-p", "--build-dir", metavar="DIR", read=Path, is_path=True,
        help="folder with compile_commands.json",
    )  # fmt: skip
    compiler: str | None = _option(
        None, "--cc", metavar="COMMAND",
        help="a clang, 15 or newer, to use in place of the bundled compiler",
    )  # fmt: skip
    jobs: int = _option(
        1, "--jobs", metavar="N", read=read_count,
        help="functions that are worked on at the same time",
    )  # fmt: skip
    no_confirm: bool = _option(
        False, "--no-confirm", is_switch=True,
        help="do not build and run the written tests without probes",
    )  # fmt: skip
    quiet: bool = _option(
        False, "-q", "--quiet", is_switch=True, in_spec=False,
        help="print only errors",
    )  # fmt: skip
    per_function: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # [function.NAME] of the spec

    def for_function(self, name: str) -> Options:
        """These options with what the spec file says about one function."""
        given = self.per_function.get(name, {})
        return merge(self, given) if given else self


OPTIONS: dict[str, Option] = {
    each.name: each.metadata["option"] for each in dataclasses.fields(Options) if "option" in each.metadata
}
DEFAULTS: dict[str, Any] = {each.name: each.default for each in dataclasses.fields(Options) if each.name in OPTIONS}


def merge(options: Options, given: Mapping[str, Any]) -> Options:
    """`given` wins, except that repeatable options are joined."""
    joined = {name: getattr(options, name) + value if OPTIONS[name].repeats else value for name, value in given.items()}
    return dataclasses.replace(options, **joined)


def show_default(name: str) -> str:
    """The default as people would write it; '' when there is none worth showing."""
    value = DEFAULTS[name]
    if value is None or value is False or value == ():
        return ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def options_table() -> str:
    """The options as a Markdown table, for the docs."""
    rows = ["| option | meaning | default | key in a spec file |", "| --- | --- | --- | --- |"]
    for name, option in OPTIONS.items():
        flags = ", ".join(option.flags) + (f" {option.metavar}" if option.metavar else "")
        shown = flags.replace("|", "\\|")
        rows.append(f"| `{shown}` | {option.help} | {show_default(name)} | {option.key if option.in_spec else ''} |")
    return "\n".join(rows) + "\n"


def options_page() -> str:
    """docs/reference/options.md. Make it anew with: python -m tightrope.options > docs/reference/options.md"""
    return f"""\
# Options of `tightrope generate`

This page is made from `src/tightrope/options.py`; a test keeps it current.

    tightrope generate FILE.c[:FUNCTION] ... [options] [-- flags for the compiler]

{options_table()}
Options may also stand in a spec file: `tightrope.toml` in the folder of the command or above it, or the file
that `--spec` names. Keys are the long options without dashes. `flags` is a list of flags for the compiler.
A table `[function.NAME]` holds options of one function: {", ".join(f"`{key}`" for key in _function_keys())}.
What is given on the command line wins; assumptions, pointers and flags add up.

```toml
criterion = "branch"
time-limit = 30
flags = ["-Iinclude"]

[function.parse]
assume = ["length <= 6"]
pointer = {{ buffer = 6 }}
```
"""


def _function_keys() -> list[str]:
    return [option.key for option in OPTIONS.values() if option.for_function]


if __name__ == "__main__":
    print(options_page(), end="")
