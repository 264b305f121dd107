"""`tightrope status` and `tightrope cache`: what the store of a project holds."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tightrope.commands.generate.known_results import (
    AGAIN,
    FILES,
    PARTS,
    ROUNDS,
    START,
    SWITCH,
    UNITS,
    outline_from,
    store_folder,
)
from tightrope.commands.generate.unit_report import fingerprint_of
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json
from tightrope.report.as_status import FunctionStatus, ProjectStatus
from tightrope.report.model import NOT_TESTED, UnitReport
from tightrope.source.project import short_path
from tightrope.source.read_files import ReadFiles
from tightrope.store.store import BESIDE, FILE, Store, opened_store
from tightrope.units.file_state import NAMES, STATES

ACTIONS = ("info", "clear")
OTHER_TEXT = "its file, or one that it includes, has changed"
OTHER_CODE = "its code, or code that it depends on, has changed"
GONE = "its file does not define it any more"
WORDS = {
    FILES: "files",
    UNITS: "results",
    AGAIN: "repeated",
    PARTS: "by part",
    STATES: "files read",
    NAMES: "names",
    START: "old inputs",
    ROUNDS: "rounds",
}  # kinds of entries


def find_status(options: Options) -> ProjectStatus:
    """The newest result of each function whose file still exists, in the folders that are named, or in all."""
    folder = _existing_folder(options)
    for word in options.subjects:
        if not Path(word).exists():
            raise UsageError(f"there is no file or folder {word}", hint="check the path", slug="no-such-file")
    wanted = [Path(os.path.abspath(word)) for word in options.subjects]
    with opened_store(folder, _tell) as store:
        present = _Present(store)
        found = tuple(
            _status(file, unit, why)
            for name, content in store.latest(UNITS)
            for file, unit, why in _read(name, content, present)
            if not wanted or any(file == place or file.is_relative_to(place) for place in wanted)
        )
    return ProjectStatus(short_path(folder / FILE), found)


class _Present:
    """The files as they are now, and as the last command has seen them."""

    def __init__(self, store: Store) -> None:
        self._files = ReadFiles()
        self._states = {name: json.loads(content) for name, content in store.latest(STATES)}
        self._outlines = {name: outline_from(json.loads(content)) for name, content in store.latest(FILES)}

    def why_outdated(self, file: Path, unit: UnitReport, entry: Mapping[str, Any]) -> str:
        """'' if the result is about the code as it is now."""
        seen, outline = self._states.get(str(file)), self._outlines.get(str(file))
        if seen is None or outline is None:  # it asks for more than the files that it includes: only its text is known
            return OTHER_TEXT if unit.fingerprint and unit.fingerprint != fingerprint_of(file) else ""
        if not self._files.are_as(seen["read"]):
            return OTHER_TEXT
        if not unit.sequence and unit.function not in (*outline.functions, *outline.included):
            return GONE
        part = outline.parts.get(unit.function)
        if part and "part" in entry:
            wanted = {unit.function: entry["part"], **entry["beside"]}
            is_same = all(name in outline.parts and outline.parts[name].digest == wanted[name] for name in wanted)
        else:
            is_same = seen["state"] == entry["state"]
        return "" if is_same else OTHER_CODE


def _read(name: str, content: bytes, present: _Present) -> Iterator[tuple[Path, UnitReport, str]]:
    file = Path(name.rpartition(":")[0])
    if file.is_file():
        entry = json.loads(content)
        for unit in report_from_json(entry["report"]).units:
            yield file, unit, present.why_outdated(file, unit, entry)


def _status(file: Path, unit: UnitReport, outdated: str) -> FunctionStatus:
    scores = {name: score for name in unit.criteria if (score := unit.score(name)).total}
    reason = unit.stop_reason.removeprefix(NOT_TESTED) if unit.was_refused else ""
    return FunctionStatus(short_path(file), unit.function, scores, unit.statistics.whole_seconds, reason, outdated)


def use_cache(options: Options) -> str:
    """`info` says what the store holds, `clear` empties it."""
    action = options.subjects[0]
    if action not in ACTIONS or len(options.subjects) > 1:
        hint = "tightrope cache info, or tightrope cache clear"
        raise UsageError(f"`{' '.join(options.subjects)}` is not what `cache` can do", hint=hint, slug="usage")
    with opened_store(_existing_folder(options), _tell) as store:
        if action == "clear":
            store.clear()
        found = store.contents()
    lines = [f"{short_path(found.file)}: {_size(found.file):,} bytes"]
    for kind, count in found.entries.items():
        lines.append(f"  {WORDS.get(kind, kind):12}{count:,} entries, {found.bytes[kind]:,} bytes")
    if found.entries:
        lines.append(f"  the oldest is of {time.strftime('%Y-%m-%d %H:%M', time.localtime(found.oldest))}")
    else:
        lines.append("  it is empty")
    if found.aside:
        size = sum(each.stat().st_size for each in found.aside)
        lines.append(f"  moved aside: {', '.join(each.name for each in found.aside)} ({size:,} bytes)")
        lines.append("  help: tightrope cache clear removes them, too")
    return "\n".join(lines)


def _size(file: Path) -> int:
    """With what has not been moved into the file itself yet."""
    beside = (file.with_name(f"{file.name}{ending}") for ending in BESIDE)
    return sum(each.stat().st_size for each in beside if each.exists())


def _existing_folder(options: Options) -> Path:
    folder = store_folder(options)
    if folder is None or not (folder / FILE).is_file():
        elsewhere = f"because {SWITCH} is none" if os.environ.get(SWITCH) == "none" else "here"
        where = f"in {folder}" if folder else elsewhere
        hint = "`tightrope generate` makes one in a folder with tightrope.toml or .git; --cache DIR names another"
        raise UsageError(f"there is no store of results {where}", hint=hint, slug="no-store")
    return folder


def _tell(text: str) -> None:
    print(f"tightrope: {text}", file=sys.stderr)
