"""The page of the docs about options, made from the table of options."""

from __future__ import annotations

from tightrope.options.options import OPTIONS, show_default


def options_table() -> str:
    """The options as a Markdown table, for the docs."""
    rows = ["| option | meaning | default | key in a spec file |", "| --- | --- | --- | --- |"]
    for name, option in OPTIONS.items():
        flags = ", ".join(option.flags) + (f" {option.metavar}" if option.metavar else "")
        shown = flags.replace("|", "\\|")
        rows.append(f"| `{shown}` | {option.help} | {show_default(name)} | {option.key if option.in_spec else ''} |")
    return "\n".join(rows) + "\n"


def options_page() -> str:
    """docs/reference/options.md."""
    return f"""\
# Options of `tightrope generate`

This page is made from `src/tightrope/options/options.py`; a test keeps it current.

    tightrope generate FILE.c[:FUNCTION] ... [options] [-- flags for the compiler]

{options_table()}
Options may also stand in a spec file: `tightrope.toml` in the folder of the command or above it, or the file
that `--spec` names. Keys are the long options without dashes. `flags` is a list of flags for the compiler.
A table `[function.NAME]` holds options of one function: {", ".join(f"`{key}`" for key in _function_keys())}.
What is given on the command line wins; assumptions, wishes for inputs and flags add up.

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
