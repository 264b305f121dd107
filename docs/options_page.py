"""The page of the docs about options, made from the table of options."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.options.option import Group, Option
from tightrope.options.options import OPTIONS, show_default


def options_tables() -> Iterator[str]:
    """The options, group by group, as Markdown tables."""
    for group in Group:
        yield from (f"## {group.value}", "")
        yield "| option | meaning | default | commands | key in a spec file |"
        yield "| --- | --- | --- | --- | --- |"
        yield from (_row(name, option) for name, option in OPTIONS.items() if option.group is group)
        yield ""


def _row(name: str, option: Option) -> str:
    flags = ", ".join(option.flags) + (f" {option.metavar}" if option.metavar else "")
    key = option.key if option.in_spec else ""
    cells = (f"`{flags}`", _meaning(option), show_default(name), ", ".join(option.commands), key)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _meaning(option: Option) -> str:
    listed = f": the [{option.listed_by}]({option.listed_by}.md)" if option.listed_by else ""
    if option.choices and not option.listed_by:
        listed = ": " + ", ".join(f"{name} ({text})" for name, text in option.choices().items())
    more = f", {option.more}" if option.more else ""
    return f"{option.help}{listed}{more}{'; may be repeated' if option.repeats else ''}"


def options_page() -> str:
    """docs/reference/options.md."""
    tables = "\n".join(options_tables())
    return f"""\
# Options

This page is made from `src/tightrope/options/options.py`; a test keeps it current.

    tightrope COMMAND FILE.c[:FUNCTION] ... [options] [-- flags for the compiler]

A command takes the options that are its own, and refuses others. `tightrope COMMAND --help` lists the
common ones, `--help-all` all of them.

{tables}
## The spec file

Options may also stand in a spec file: `tightrope.toml` in the folder of the command or above it, or the file
that `--spec` names. Keys are the long options without dashes. `flags` is a list of flags for the compiler.
A table `[function.NAME]` holds options of one function: {", ".join(f"`{key}`" for key in _function_keys())}.
A command passes over keys of options that other commands take: the file is for all of them. What is given on the
command line wins; assumptions, wishes for inputs and flags add up.

```toml
criterion = "branch"
time-limit = 30
flags = ["-Iinclude"]

[function.parse]
assume = ["length <= 6"]

[function.parse.input]
buffer = 6
"cfg->table[_].name" = "string 12, not-null"
```

The words for inputs, and where else they may stand, are in [Inputs](../how-to/inputs.md).
"""


def _function_keys() -> list[str]:
    return [option.key for option in OPTIONS.values() if option.for_function]
