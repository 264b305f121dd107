"""Results of earlier commands. A function is not searched again if nothing that its result depends on has changed: the
code that the compiler sees, the files that may be linked, the options, the compiler, and Tightrope itself."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tightrope.errors import UsageError
from tightrope.options.config_file import find_project_folder
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json, to_values
from tightrope.report.model import Report, Tool, UnitReport
from tightrope.search.budget import StopReason
from tightrope.source.cache import cache_key
from tightrope.source.toolchain import find_compiler, find_gcc
from tightrope.store.store import Store, opened_store
from tightrope.suite.folder import write_file
from tightrope.units.file_state import FileStates
from tightrope.units.select_functions import FileOutline, FunctionJob
from tightrope.version import __version__

FOLDER = ".tightrope"  # beside tightrope.toml or .git
SWITCH = "TIGHTROPE_CACHE"  # `none`: no store, for measurements and tests
UNCHANGED = "nothing has changed since it was tested: taken from the store (--no-cache tests it again)"
FILES, UNITS = "file", "unit"  # kinds of entries
# Options that say which functions are tested and how results are shown: they do not change a result.
_WITHOUT_EFFECT = frozenset(
    "targets functions exclude jobs cluster quiet json fail_under allow_refused cache no_cache per_function commanded "
    "words subjects output html reports evidence".split()
)


@dataclass(slots=True)
class KnownResults:
    """Without a store, nothing is known."""

    options: Options
    store: Store | None
    states: FileStates | None

    def find(self, file: Path) -> FileOutline | None:
        """What the file defines, if it is as it was."""
        found = self._get(FILES, self._file_key(file))
        return FileOutline(*(tuple(names) for names in found)) if found else None

    def keep(self, file: Path, outline: FileOutline) -> None:
        self._put(FILES, self._file_key(file), str(file), dataclasses.astuple(outline))

    def find_unit(self, job: FunctionJob) -> UnitReport | None:
        """The result, if the tests that belong to it are still there, or can be written again."""
        found = self._get(UNITS, self._unit_key(job))
        if not found or not all(self._is_unchanged(name, text) for name, text in found["files"].items()):
            return None
        (unit,) = report_from_json(found["report"]).units
        try:
            for name, text in found["files"].items():
                if not (self.options.output / name).exists():
                    write_file(self.options.output / name, text)
        except UsageError:
            return None
        return replace(unit, notes=(*unit.notes, UNCHANGED))

    def keep_unit(self, job: FunctionJob, unit: UnitReport) -> None:
        key = self._unit_key(job)
        if not key or not _is_lasting(unit):
            return
        try:
            files = {self._relative(path): Path(path).read_text(encoding="utf-8") for path in unit.written}
        except (OSError, ValueError):  # somebody has removed them already
            return
        report = Report(Tool("tightrope", __version__), (unit,))
        self._put(UNITS, key, f"{job.file}:{job.function}", {"report": to_values(report), "files": files})

    def _relative(self, path: str) -> str:
        return Path(os.path.relpath(path, self.options.output)).as_posix()

    def _is_unchanged(self, name: str, text: str) -> bool:
        file = self.options.output / name
        return not file.exists() or file.read_text(encoding="utf-8", errors="replace") == text

    # -- keys

    def _file_key(self, file: Path) -> str:
        state = self.states.of(file) if self.states else ""
        return cache_key(identity(), state, repr(self.options.define_away)) if state else ""

    def _unit_key(self, job: FunctionJob) -> str:
        state = self.states.with_linked(job.file, job.missing) if self.states else ""
        if not state:
            return ""
        options = self.options.for_function(job.function)
        values = {each.name: getattr(options, each.name) for each in dataclasses.fields(options)}
        chosen = repr([(name, value) for name, value in values.items() if name not in _WITHOUT_EFFECT])
        place = os.path.relpath(job.file.resolve(), self.options.output.resolve())
        judge = repr(find_gcc())
        return cache_key(
            identity(), state, str(job.file), job.function, job.output_stem, repr(job.sequence), chosen, place, judge
        )

    def _get(self, kind: str, key: str) -> Any:
        content = self.store.get(kind, key) if self.store and key else None
        return json.loads(content) if content else None

    def _put(self, kind: str, key: str, name: str, value: Any) -> None:
        if self.store and key:
            self.store.put(kind, key, name, json.dumps(value).encode())


def _is_lasting(unit: UnitReport) -> bool:
    """False if another run may well have another result: it was interrupted, or a fault of ours."""
    return unit.stop_reason != StopReason.INTERRUPTED.value and not unit.has_failed


@contextmanager
def opened_results(options: Options) -> Iterator[KnownResults]:
    folder = store_folder(options)
    if folder is None:
        yield KnownResults(options, None, None)
        return
    with opened_store(folder, _tell) as store:
        yield KnownResults(options, store, FileStates(find_compiler(options.compiler), options))


def store_folder(options: Options) -> Path | None:
    """The folder that --cache names, or one in the project's own folder; None outside of a project."""
    if options.no_cache or (options.cache is None and os.environ.get(SWITCH) == "none"):
        return None
    if options.cache is not None:
        return options.cache
    project = find_project_folder(Path.cwd())
    return project / FOLDER if project else None


@cache
def identity() -> str:
    """Changes with Tightrope itself: its version, and the files of the package as somebody may edit them."""
    package = Path(__file__).parents[2]
    files = sorted(each for each in package.rglob("*") if each.suffix in (".py", ".c", ".h", ".json"))
    stats = [(each.relative_to(package).as_posix(), each.stat()) for each in files]
    parts = [f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in stats]
    return cache_key(__version__, sys.version, *parts)


def _tell(text: str) -> None:
    print(f"tightrope: {text}", file=sys.stderr)
