"""Results of earlier commands. A function is not searched again if nothing that its result depends on has changed: the
code that the compiler sees, the files that may be linked, the options, the compiler, the tests that are there already,
and Tightrope itself."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tightrope.commands.generate.build_files import BUILD_FILES, is_build_file
from tightrope.commands.generate.earlier_suite import state_of_earlier
from tightrope.commands.generate.old_results import OldResult
from tightrope.commands.generate.top_up import with_all_kept
from tightrope.errors import UsageError
from tightrope.options.config_file import find_project_folder
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json, to_values
from tightrope.report.model import UNCHANGED, Report, Tool, UnitReport
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
FILES, UNITS, AGAIN, INPUTS, ROUNDS = "file", "unit", "again", "inputs", "round"  # kinds of entries
_PARANOID = "TIGHTROPE_PARANOID"
_PACKAGES = ("llvmlite", "bitwuzla", "ziglang", "z3-solver")  # whose versions may change a result
# Options that say which functions are tested and how results are shown: they do not change a result.
_WITHOUT_EFFECT = frozenset(
    "targets functions exclude jobs cluster quiet json fail_under allow_refused cache no_cache per_function commanded "
    "words subjects output html reports evidence changed only verbose fail_on_change".split()
)


@dataclass(slots=True)
class KnownResults:
    """Without a store, nothing is known."""

    options: Options
    store: Store | None
    states: FileStates | None
    asked: dict[str, str] = field(default_factory=dict)  # name of a job -> its key before the work

    def find(self, file: Path) -> FileOutline | None:
        """What the file defines, if it is as it was."""
        found = self._get(FILES, self._file_key(file))
        return FileOutline(*(tuple(names) for names in found)) if found else None

    def keep(self, file: Path, outline: FileOutline) -> None:
        self._put(FILES, self._file_key(file), str(file), dataclasses.astuple(outline))

    def find_unit(self, job: FunctionJob) -> UnitReport | None:
        """The result, if the tests that belong to it are still there, or can be written again."""
        self.asked[_name(job)] = key = self._unit_key(job)
        if self.options.keep_proofs:  # they are not in the store
            return None
        first = self._get(AGAIN, key)
        found = self._get(UNITS, first or key)
        if (
            not found
            or not self._is_built(found["files"])
            or not all(self._is_unchanged(name, text) for name, text in found["files"].items())
        ):
            return None
        (unit,) = report_from_json(found["report"]).units
        unit = with_all_kept(unit) if first else unit
        try:
            for name, text in found["files"].items():
                if not (self.options.output / name).exists():
                    (self.options.output / name).parent.mkdir(exist_ok=True)
                    write_file(self.options.output / name, text)
        except UsageError:
            return None
        return replace(unit, notes=(*unit.notes, UNCHANGED))

    def keep_unit(self, job: FunctionJob, unit: UnitReport) -> None:
        """For the tests that were there before; and for those that are there now, all of which the same command would
        keep."""
        before, after = self.asked.get(_name(job), ""), self._unit_key(job)
        if not before or not after or not _is_lasting(unit):
            return
        try:
            files = {self._relative(str(path)): path.read_text(encoding="utf-8") for path in _files_of(unit)}
        except (OSError, ValueError):  # somebody has removed them already
            return
        report = Report(Tool("tightrope", __version__), (unit,))
        self._put(UNITS, before, _name(job), {"report": to_values(report), "files": files})
        if after != before:
            self._put(AGAIN, after, _name(job), before)
        self._put(INPUTS, self._name_key(job), _name(job), [*OldResult.of(unit).inputs])

    def old_result(self, job: FunctionJob) -> OldResult:
        """What was found with the same options, before the code changed."""
        return OldResult(tuple(self._get(INPUTS, self._name_key(job)) or ()))

    def is_over(self, jobs: Sequence[FunctionJob]) -> bool:
        """Whether --total-time was spent on exactly these functions, as they are."""
        return bool(self._get(ROUNDS, self._rounds_key(jobs)))

    def note_over(self, jobs: Sequence[FunctionJob]) -> None:
        self._put(ROUNDS, self._rounds_key(jobs), "", True)

    def _rounds_key(self, jobs: Sequence[FunctionJob]) -> str:
        keys = [self._unit_key(job) for job in jobs]
        return cache_key(str(self.options.total_time), *keys) if all(keys) else ""

    def _is_built(self, files: Mapping[str, str]) -> bool:
        """Whether the files of --build know the tests."""
        for each in self.options.builds:
            file = self.options.output / BUILD_FILES[each].name
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            if files and not any(f"# -- {Path(name).stem}:" in text for name in files):
                return False
        return True

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
        is_sequence = job.sequence is not None
        there = state_of_earlier(job.file, job.function, job.output_stem, self.options, is_sequence)
        if there is None:
            return ""
        chosen = self._chosen_options(job)
        place = os.path.relpath(job.file.resolve(), self.options.output.resolve())
        judge = repr(find_gcc())
        return cache_key(
            identity(),
            state,
            str(job.file),
            job.function,
            job.output_stem,
            repr(job.sequence),
            chosen,
            str(self.options.output),  # reports name the files in it
            place,
            judge,
            there,
        )

    def _name_key(self, job: FunctionJob) -> str:
        """Of the function, whatever its code is now."""
        return cache_key(str(job.file.resolve()), job.function, repr(job.sequence), self._chosen_options(job))

    def _chosen_options(self, job: FunctionJob) -> str:
        options = self.options.for_function(job.function)
        values = {each.name: getattr(options, each.name) for each in dataclasses.fields(options)}
        return repr([(name, value) for name, value in values.items() if name not in _WITHOUT_EFFECT])

    def _get(self, kind: str, key: str) -> Any:
        content = self.store.get(kind, key) if self.store and key else None
        return json.loads(content) if content else None

    def _put(self, kind: str, key: str, name: str, value: Any) -> None:
        if self.store and key:
            self.store.put(kind, key, name, json.dumps(value).encode())


def _name(job: FunctionJob) -> str:
    return f"{job.file.resolve()}:{job.function}"


def _files_of(unit: UnitReport) -> Iterator[Path]:
    """The files of its tests; a suite may be a folder."""
    for path in map(Path, unit.written):
        if path.is_dir():
            yield from sorted(each for each in path.iterdir() if each.is_file())
        elif not is_build_file(path.name):
            yield path


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
    """Changes with Tightrope itself: its version, the files of the package as somebody may edit them, the packages that
    it uses, and the machine."""
    package = Path(__file__).parents[2]
    files = sorted(each for each in package.rglob("*") if each.suffix in (".py", ".c", ".h", ".json"))
    stats = [(each.relative_to(package).as_posix(), each.stat()) for each in files]
    parts = [f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in stats]
    machine = (platform.machine(), *platform.libc_ver(), os.environ.get(_PARANOID, ""))
    return cache_key(__version__, sys.version, *machine, *map(_version_of, _PACKAGES), *parts)


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _tell(text: str) -> None:
    print(f"tightrope: {text}", file=sys.stderr)
