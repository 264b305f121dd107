"""`tightrope status` and `tightrope cache`: what the store of a project holds."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tightrope.commands.generate.known_results import AGAIN, FILES, INPUTS, ROUNDS, SWITCH, UNITS, store_folder
from tightrope.commands.generate.unit_report import fingerprint_of
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json
from tightrope.report.as_status import FunctionStatus, ProjectStatus
from tightrope.report.model import NOT_TESTED, UnitReport
from tightrope.source.project import short_path
from tightrope.store.store import FILE, opened_store

ACTIONS = ("info", "clear")
WORDS = {
    FILES: "files",
    UNITS: "results",
    AGAIN: "repeated",
    INPUTS: "old inputs",
    ROUNDS: "rounds",
}  # kinds of entries


def find_status(options: Options) -> ProjectStatus:
    """The newest result of each function whose file still exists, in the folders that are named, or in all."""
    folder = _existing_folder(options)
    wanted = [Path(os.path.abspath(word)) for word in options.subjects]
    with opened_store(folder, _tell) as store:
        found = tuple(
            _status(file, unit)
            for name, content in store.latest(UNITS)
            for file, unit in _read(name, content)
            if not wanted or any(file == place or file.is_relative_to(place) for place in wanted)
        )
    return ProjectStatus(short_path(folder / FILE), found)


def _read(name: str, content: bytes) -> Iterator[tuple[Path, UnitReport]]:
    file = Path(name.rpartition(":")[0])
    if file.is_file():
        yield from ((file, unit) for unit in report_from_json(json.loads(content)["report"]).units)


def _status(file: Path, unit: UnitReport) -> FunctionStatus:
    scores = {name: score for name in unit.criteria if (score := unit.score(name)).total}
    reason = unit.stop_reason.removeprefix(NOT_TESTED) if unit.was_refused else ""
    has_changed = bool(unit.fingerprint) and unit.fingerprint != fingerprint_of(file)
    return FunctionStatus(short_path(file), unit.function, scores, unit.statistics.whole_seconds, reason, has_changed)


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
    return "\n".join(lines)


def _size(file: Path) -> int:
    return sum(each.stat().st_size for each in file.parent.glob(f"{file.name}*"))


def _existing_folder(options: Options) -> Path:
    folder = store_folder(options)
    if folder is None or not (folder / FILE).is_file():
        where = f"in {folder}" if folder else f"because {SWITCH} is none" if SWITCH in os.environ else "here"
        hint = "`tightrope generate` makes one in a folder with tightrope.toml or .git; --cache DIR names another"
        raise UsageError(f"there is no store of results {where}", hint=hint, slug="no-store")
    return folder


def _tell(text: str) -> None:
    print(f"tightrope: {text}", file=sys.stderr)
