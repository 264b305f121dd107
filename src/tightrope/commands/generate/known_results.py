"""Results of earlier commands. A function is not searched again if nothing that its result depends on has changed: the
code that the compiler sees, the files that may be linked, the options, the compiler, the tests that are there already,
and Tightrope itself."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from tightrope.commands.generate.build_files import BUILD_FILES, is_build_file
from tightrope.commands.generate.earlier_suite import state_of_earlier
from tightrope.commands.generate.moved_lines import may_be_moved, move_lines
from tightrope.commands.generate.old_results import OldResult
from tightrope.commands.generate.rounds import count_decided
from tightrope.commands.generate.top_up import with_all_kept
from tightrope.commands.generate.unit_report import fingerprint_of
from tightrope.errors import UsageError
from tightrope.options.config_file import find_project_folder
from tightrope.options.options import Options
from tightrope.report.as_json import report_from_json, to_values
from tightrope.report.model import LINKED_WITH, UNCHANGED, Report, Tool, UnitReport
from tightrope.search.budget import StopReason
from tightrope.source.cache import cache_key
from tightrope.source.toolchain import find_compiler, find_gcc
from tightrope.store.store import Store, opened_store
from tightrope.suite.folder import write_file
from tightrope.units.code_parts import CodePart, find_beside, joined_lines, map_lines
from tightrope.units.file_state import FileStates
from tightrope.units.prepare import is_for_whole_program
from tightrope.units.select_functions import FileOutline, FunctionJob
from tightrope.version import __version__

FOLDER = ".tightrope"  # beside tightrope.toml or .git
SWITCH = "TIGHTROPE_CACHE"  # `none`: no store, for measurements and tests
FILES, UNITS, AGAIN, START, ROUNDS = "file", "unit", "again", "start", "round"  # kinds of entries
PARTS = "part"  # results by what they depend on in their file
_PARANOID = "TIGHTROPE_PARANOID"
_PACKAGES = ("llvmlite", "bitwuzla", "ziglang", "z3-solver")  # whose versions may change a result
# Options that say which functions are tested and how results are shown: they do not change a result.
_WITHOUT_EFFECT = frozenset(
    "targets functions exclude jobs cluster quiet json fail_under allow_refused cache no_cache per_function commanded "
    "words subjects output html reports evidence changed only verbose fail_on_change".split()
)


@dataclass(frozen=True, slots=True)
class _Keys:
    """Of a result: by all code of its file, and by the part that it depends on."""

    whole: str = ""
    part: str = ""


@dataclass(slots=True)
class KnownResults:
    """Without a store, nothing is known."""

    options: Options
    store: Store | None
    states: FileStates | None
    asked: dict[str, _Keys] = field(default_factory=dict)  # name of a job -> its keys before the work
    _outlines: dict[Path, FileOutline | None] = field(default_factory=dict)
    _resolved: dict[Path, Path] = field(default_factory=dict)

    @property
    def are_kept(self) -> bool:
        return self.store is not None

    def find(self, file: Path) -> FileOutline | None:
        """What the file defines, if it is as it was."""
        path = self._resolved.get(file) or self._resolved.setdefault(file, file.resolve())
        if path not in self._outlines:
            found = self._get(FILES, self._file_key(file))
            self._outlines[path] = outline_from(found) if found else None
        return self._outlines[path]

    def keep(self, file: Path, outline: FileOutline) -> None:
        self._outlines[file.resolve()] = outline
        self._put(FILES, self._file_key(file), str(file.resolve()), dataclasses.astuple(outline))

    def find_unit(self, job: FunctionJob) -> UnitReport | None:
        """The result, if the tests that belong to it are still there, or can be written again."""
        self.asked[_name(job)] = keys = self._keys(job)
        if self.options.keep_proofs:  # they are not in the store
            return None
        first = self._get(AGAIN, keys.whole)
        found, is_kept = self._get(UNITS, first or keys.whole), bool(first)
        if not found and keys.part:
            entry = self._get(PARTS, keys.part)
            is_same = entry and entry["beside"] == self._digests(job, entry["beside"])
            found, is_kept = (self._get(UNITS, entry["unit"]), entry["is_kept"]) if is_same else (None, False)
        if (
            not found
            or not self._is_built(found["files"])
            or not all(self._is_unchanged(name, text) for name, text in found["files"].items())
        ):
            return None
        (unit,) = report_from_json(found["report"]).units
        moved = self._moved(unit, job, found)
        if moved is None:
            return None
        try:
            for name, text in found["files"].items():
                if not (self.options.output / name).exists():
                    (self.options.output / name).parent.mkdir(exist_ok=True)
                    write_file(self.options.output / name, text)
        except UsageError:
            return None
        moved = with_all_kept(moved) if is_kept else moved
        return replace(moved, notes=(*unit.notes, UNCHANGED))

    def _moved(self, unit: UnitReport, job: FunctionJob, found: Mapping[str, Any]) -> UnitReport | None:
        """The report about the file as it is now: other functions may be longer or shorter than they were. Tests name
        lines, too: they must be there, and stay as they are, as all tests that are kept."""
        state = self.states.digest_of(job.file) if self.states else ""
        if not job.part or "lines" not in found or found["source"] == state:
            return unit
        lines = map_lines(found["lines"], self._lines(job, found["beside"]))
        if lines is None:
            return None
        is_moved = any(old != new for old, new in lines.items())
        if is_moved and not all((self.options.output / name).exists() for name in found["files"]):
            return None
        if is_moved and not may_be_moved(job.file.read_text(encoding="utf-8", errors="replace")):
            return None
        moved = move_lines(unit, lines) if is_moved else unit
        return replace(moved, fingerprint=fingerprint_of(job.file)) if moved else None

    def keep_unit(self, job: FunctionJob, unit: UnitReport) -> None:
        """For the tests that were there before; and for those that are there now, all of which the same command would
        keep."""
        before, after = self.asked.get(_name(job), _Keys()), self._keys(job)
        if not before.whole or not after.whole or not _is_lasting(unit) or self._was_edited(job, unit):
            return
        try:
            files = {self._relative(str(path)): path.read_text(encoding="utf-8") for path in _files_of(unit)}
        except (OSError, ValueError):  # somebody has removed them already
            return
        report = Report(Tool("tightrope", __version__), (unit,))
        entry = {"report": to_values(report), "files": files, "state": self.states.of(job.file) if self.states else ""}
        beside = self._beside(job, unit)
        if job.part and self.states and beside is not None:
            entry |= {"part": job.part.digest, "source": self.states.digest_of(job.file)}
            entry |= {"lines": self._lines(job, beside), "beside": beside}
        self._put(UNITS, before.whole, _name(job), entry)
        if after.whole != before.whole:
            self._put(AGAIN, after.whole, _name(job), before.whole)
        if beside is not None and not unit.was_refused:
            for keys in dict.fromkeys((before, after)):
                known = {"unit": before.whole, "is_kept": keys.whole != before.whole, "beside": beside}
                self._put(PARTS, keys.part, _name(job), known)
        was_late = unit.stop_reason == StopReason.TIME_LIMIT.value
        kept = {"inputs": [*OldResult.of(unit).inputs], "decided_in_time": count_decided(unit) if was_late else 0}
        self._put(START, self._name_key(job), _name(job), kept)

    def _beside(self, job: FunctionJob, unit: UnitReport) -> Mapping[str, str] | None:
        """Hashes of other parts of the file that the unit turned out to have; None if some cannot be told."""
        if job.part is None:
            return None
        is_linked = any(note.startswith(LINKED_WITH) for note in unit.notes)
        return find_beside(self._parts_of(job.file), job.part, unit.code, is_linked=is_linked)

    def _digests(self, job: FunctionJob, names: Iterable[str]) -> Mapping[str, str | None]:
        parts = self._parts_of(job.file)
        return {name: parts[name].digest if name in parts else None for name in names}

    def _lines(self, job: FunctionJob, beside: Iterable[str]) -> str:
        parts = self._parts_of(job.file)
        own = job.part.lines if job.part else ""
        return joined_lines([own, *(parts[name].lines for name in beside if name in parts)]) if beside else own

    def _was_edited(self, job: FunctionJob, unit: UnitReport) -> bool:
        """Whether a file was edited while the function was tested: the result is about another text than the key."""
        if self.states is None or not self.states.digest_of(job.file).startswith(unit.fingerprint):
            return True
        return not self.states.are_still_so(job.file, job.part.missing if job.part else job.missing)

    def old_result(self, job: FunctionJob) -> OldResult:
        """What was found with the same options, before the code changed."""
        found = self._get(START, self._name_key(job)) or {"inputs": (), "decided_in_time": 0}
        return OldResult(tuple(found["inputs"]), decided_in_time=found["decided_in_time"])

    def is_over(self, jobs: Sequence[FunctionJob]) -> bool:
        """Whether --total-time was spent on exactly these functions, as they are."""
        return bool(self._get(ROUNDS, self._rounds_key(jobs)))

    def note_over(self, jobs: Sequence[FunctionJob]) -> None:
        self._put(ROUNDS, self._rounds_key(jobs), "", True)

    def _rounds_key(self, jobs: Sequence[FunctionJob]) -> str:
        keys = [self._keys(job).whole for job in jobs]
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

    def _keys(self, job: FunctionJob) -> _Keys:
        """Nothing if the result cannot be known: it may depend on more than is looked at."""
        whole, part = self._code(job)
        if not whole:
            return _Keys()
        is_sequence = job.sequence is not None
        there = state_of_earlier(job.file, job.function, job.output_stem, self.options, is_sequence)
        if there is None:
            return _Keys()
        words = (
            identity(),
            str(job.file),
            job.function,
            job.output_stem,
            repr(job.sequence),
            self._chosen_options(job),
            str(self.options.output),  # reports name the files in it
            os.path.relpath(job.file.resolve(), self.options.output.resolve()),
            repr(find_gcc()),
            there,
        )
        return _Keys(cache_key(whole, *words), cache_key("part", part, *words) if part else "")

    def _code(self, job: FunctionJob) -> tuple[str, str]:
        """Hashes of all code of the file, and of the part that the function depends on, each with what is linked."""
        if self.states is None:
            return "", ""
        missing = job.part.missing if job.part else job.missing
        linked, own = self.states.linked(job.file, missing, self._parts_of), self.states.of(job.file)
        if not linked or not own:
            return "", ""
        is_apart = job.part is not None and not is_for_whole_program(self.options.for_function(job.function))
        return cache_key(own, linked), cache_key(job.part.digest, linked) if job.part and is_apart else ""

    def _parts_of(self, file: Path) -> Mapping[str, CodePart]:
        outline = self.find(file)
        return outline.parts if outline else {}

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


def outline_from(found: Any) -> FileOutline:
    """As it was stored."""
    functions, included, missing, parts = found
    known = {
        name: CodePart(digest, tuple(names), tuple(kept), lines) for name, (digest, names, kept, lines) in parts.items()
    }
    return FileOutline(tuple(functions), tuple(included), tuple(missing), known)


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
        states = FileStates(find_compiler(options.compiler), options, _StoreMemory(store))
        yield KnownResults(options, store, states)


@dataclass(frozen=True, slots=True)
class _StoreMemory:
    """What the store remembers of files."""

    store: Store

    def get(self, kind: str, key: str) -> Any:
        content = self.store.get(kind, cache_key(identity(), key))
        return json.loads(content) if content else None

    def put(self, kind: str, key: str, name: str, value: Any) -> None:
        self.store.put(kind, cache_key(identity(), key), name, json.dumps(value).encode())


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
    import platform  # as below: only for a store

    package = Path(__file__).parents[2]
    files = sorted(each for each in package.rglob("*") if each.suffix in (".py", ".c", ".h", ".json"))
    stats = [(each.relative_to(package).as_posix(), each.stat()) for each in files]
    parts = [f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in stats]
    machine = (platform.machine(), *platform.libc_ver(), os.environ.get(_PARANOID, ""))
    return cache_key(__version__, sys.version, *machine, *map(_version_of, _PACKAGES), *parts)


def _version_of(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # with a parser of mails

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _tell(text: str) -> None:
    print(f"tightrope: {text}", file=sys.stderr)
