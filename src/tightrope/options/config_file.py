"""The spec file: options of a project, and of single functions, as TOML.

    criterion = "branch"
    time-limit = 30
    flags = ["-Iinclude"]

    [function.parse]
    assume = ["length <= 6"]

    [function.parse.input]
    buffer = 6
    "cfg->table[_].name" = "string 12, not-null"

    [function.parse.partition]
    size = ["length == 0", "length == 1", "length > 1"]

Keys are the long options without dashes. The command line overrides the file; assumptions, wishes
for inputs and flags are added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tightrope.errors import UsageError
from tightrope.location import Location
from tightrope.options.option import Option
from tightrope.options.option_values import suggestion
from tightrope.options.options import OPTIONS

NAME = "tightrope.toml"


@dataclass(frozen=True, slots=True)
class Spec:
    """The contents of a spec file, by the names of the fields of `Options`."""

    given: Mapping[str, Any] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    per_function: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def find_project_folder(folder: Path) -> Path | None:
    """The nearest folder, here or above, with tightrope.toml or .git."""
    places = (folder, *folder.parents)
    return next((each for each in places if (each / NAME).is_file() or (each / ".git").exists()), None)


def find_spec(folder: Path) -> Path | None:
    """tightrope.toml in the folder or above it, up to the top of the repository."""
    for each in (folder, *folder.parents):
        if (each / NAME).is_file():
            return each / NAME
        if (each / ".git").exists():
            return None
    return None


def read_spec(file: Path) -> Spec:
    """The spec in a file; a mistake in it is a usage error with its place."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"there is no spec file {file}", hint="check the path", slug="no-such-file") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"the spec file {file} cannot be read: {problem}", slug="unreadable") from None
    import tomllib  # many commands have no such file

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise _syntax_error(file, problem) from None
    return _SpecReader(file, text).read(tables)


def _syntax_error(file: Path, problem: ValueError) -> UsageError:
    message, line, column = str(problem), 0, 0
    found = re.search(r" \(at line (\d+), column (\d+)\)", message)
    if found:
        message, line, column = message[: found.start()], int(found[1]), int(found[2])
    place = Location(str(file), line, column)
    return UsageError(f"the spec file is not valid TOML: {message}", location=place, slug="spec-syntax")


class _SpecReader:
    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.lines = text.split("\n")

    def read(self, tables: Mapping[str, Any]) -> Spec:
        by_key = {option.key: name for name, option in OPTIONS.items() if option.in_spec}
        functions = tables.get("function", {})
        flags = self._strings("flags", tables.get("flags", []), "")
        rest = {key: value for key, value in tables.items() if key not in ("function", "flags")}
        self._check_keys(rest, {*by_key, "flags", "function"}, "")
        given = {by_key[key]: self._value(by_key[key], value, "") for key, value in rest.items()}
        return Spec(given, flags, self._functions(functions))

    def _functions(self, tables: Any) -> dict[str, dict[str, Any]]:
        by_key = {option.key: name for name, option in OPTIONS.items() if option.for_function}
        found = {}
        if not isinstance(tables, dict):
            raise self._error("`function` is not a table: write [function.NAME]", "function", "")
        for function, table in tables.items():
            if not isinstance(table, dict):
                raise self._error(f"write [function.NAME], then the options; `{function}` is not a table", function, "")
            section = f"function.{function}"
            self._check_keys(table, by_key, section)
            found[function] = {by_key[key]: self._value(by_key[key], value, section) for key, value in table.items()}
        return found

    def _check_keys(self, table: Mapping[str, Any], known: Iterable[str], section: str) -> None:
        known = sorted(known)
        for key in table:
            if key not in known:
                near = suggestion(key, known) or f"; known keys: {', '.join(known)}"
                raise self._error(f"unknown key {key}{' in [' + section + ']' if section else ''}{near}", key, section)

    def _value(self, name: str, value: Any, section: str) -> Any:
        option = OPTIONS[name]
        try:
            return self._read(option, value, section)
        except ValueError as problem:
            raise self._error(f"{option.key}: {problem}", option.key, section) from None

    def _read(self, option: Option, value: Any, section: str) -> Any:
        if option.is_switch:
            if not isinstance(value, bool):
                raise ValueError(f"`{value}` is neither true nor false")
            return value
        if isinstance(value, dict) and option.repeats:
            return tuple(each for row in value.items() for each in self._row(option, *row, section))
        if option.repeats:
            texts = self._texts(option, value, section)
            return tuple(self._anchored(each) for text in texts for each in option.read(text))
        if isinstance(value, list):
            value = ",".join(self._strings(option.key, value, section))
        if isinstance(value, bool | dict):
            raise ValueError(f"`{value}` is not a valid value")
        return self._anchored(option.read(str(value)))

    def _anchored(self, value: Any) -> Any:
        """Paths are relative to the folder of the file."""
        return self.file.parent / value if isinstance(value, Path) else value

    def _row(self, option: Option, key: str, value: Any, section: str) -> Any:
        """One row of a table such as [function.parse.input]; a mistake in it has its own place."""
        inside = f"{section}.{option.key}" if section else option.key
        if isinstance(value, dict):
            raise self._error(f'write the path in quotes: "{key}.{next(iter(value), "...")}" = ...', key, inside)
        if option.joins and isinstance(value, list):
            value = option.joins.join(self._strings(key, value, inside))
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise self._error(f"{option.key}: `{value}` is neither a number nor a text", key, inside)
        try:
            return option.read(f"{key}={value}")
        except ValueError as problem:
            raise self._error(f"{option.key}: {problem}", key, inside) from None

    def _texts(self, option: Option, value: Any, section: str) -> tuple[str, ...]:
        """A list of strings, or one string or number."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return (str(value),)
        return self._strings(option.key, value, section)

    def _strings(self, key: str, value: Any, section: str) -> tuple[str, ...]:
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
            raise self._error(f"{key} is not a list of strings: {value!r}", key, section)
        return tuple(texts)

    def _error(self, message: str, key: str, section: str) -> UsageError:
        return UsageError(message, location=self._place(key, section), slug="spec-key")

    def _place(self, key: str, section: str) -> Location:
        """The place of the key. tomllib does not provide it, so the lines are searched."""
        named = rf"[\"']?{re.escape(key)}[\"']?\s*[=.]"
        wanted, inline = re.compile(rf"\s*{named}"), re.compile(rf".*[{{,]\s*{named}")
        current, outside = "", section.rpartition(".")[0]
        for number, line in enumerate(self.lines, start=1):
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line)
            current = header[1].replace('"', "") if header else current
            is_here = (current == section and wanted.match(line)) or (current == outside and inline.match(line))
            if is_here or (header and key in current.split(".")):
                return Location(str(self.file), number)
        return Location(str(self.file), 0)
