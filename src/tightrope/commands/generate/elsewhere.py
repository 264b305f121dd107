"""Jobs for machines that have none of the user's files: each travels with all that it needs, and the tests that it
writes travel back. This is an executor around another one.

    job + parcel ──▶ executor ──▶ mirror of the files ─▶ work ─▶ result + written files ──▶ written here
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

from tightrope.commands.generate.build_files import is_build_file, take_build_file
from tightrope.commands.generate.earlier_suite import earlier_files
from tightrope.commands.generate.executors.executor import Executor, JobDone, Result, Results, Shared, Work
from tightrope.errors import InternalError, TightropeError, UnknownFlagError, UsageError
from tightrope.options.options import Options
from tightrope.source.mirror import (
    ROOT,
    SWITCH,
    add_root,
    enter_mirror,
    put_root,
    remove_root,
    sweep_places,
    take_place,
    unpack,
    write_files,
)
from tightrope.source.toolchain import find_compiler
from tightrope.suite.case import file_stem
from tightrope.suite.folder import remove_others, write_file
from tightrope.units.parcel import Packer, Parcel
from tightrope.units.select_functions import FunctionJob


@dataclass(frozen=True, slots=True)
class PackedJob:
    """`work(job, options, *rest)` for a mirror: with `ROOT` before absolute paths. `earlier`: files with tests that are
    there before, by their absolute paths."""

    work: Work[Any]
    job: FunctionJob
    options: Options
    rest: tuple[Any, ...]
    compiler: str  # that there must be
    parcel: Shared  # a Parcel
    earlier: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Returned:
    """What comes back: a result or a problem, and the written files by their names in the folder for tests. `kept` are
    as they were before."""

    result: Any
    problem: TightropeError | None
    tests: Mapping[str, str]
    kept: tuple[str, ...]
    proofs: Mapping[str, str]


class Elsewhere:
    """An executor that packs jobs for another one."""

    def __init__(self, inner: Executor, options: Options) -> None:
        if options.allow_files:
            raise UsageError(
                "--allow-files and --cluster cannot be combined: what the code changes in the folder would stay on the "
                "machines where it runs",
                hint="leave out one of them",
                slug="cluster-files",
            )
        self._inner = inner
        self._options = options

    def opened(self) -> AbstractContextManager[int]:
        return self._inner.opened()

    def run(
        self, work: Work[Result], jobs: Sequence[tuple[Any, ...]], groups: Sequence[Hashable] = ()
    ) -> Results[Result]:
        packed = _PackedJobs(work, jobs, Packer(find_compiler(self._options.compiler), self._options))
        try:
            for done in self._inner.run(do_packed, packed, groups):
                result = None if done.result is None else self._unpack(done.result)
                yield JobDone(done.number, result, done.lost)
        finally:
            sweep_places()

    def _unpack(self, returned: Returned) -> Any:
        """The result; its files are written."""
        if returned.problem is not None:
            raise returned.problem
        _write_tests(self._options.output, returned.tests, returned.kept)
        if self._options.keep_proofs is not None:
            for name, text in returned.proofs.items():
                write_file(self._options.keep_proofs / name, text)
        return returned.result


class _PackedJobs(Sequence[tuple[Any, ...]]):
    """Each is packed when it is asked for: thousands would fill the memory."""

    def __init__(self, work: Work[Any], jobs: Sequence[tuple[Any, ...]], packer: Packer) -> None:
        self._work, self._jobs, self._packer = work, jobs, packer

    def __len__(self) -> int:
        return len(self._jobs)

    @overload
    def __getitem__(self, number: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[tuple[Any, ...]]: ...

    def __getitem__(self, number: int | slice) -> Any:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        job, given, is_one_of_many, _, old = self._jobs[number]
        options, parcel = self._packer.options_for(given), self._packer.pack(job)
        old = replace(old, written=tuple(f"{ROOT}{each}" if os.path.isabs(each) else each for each in old.written))
        rest = (is_one_of_many, None, old)  # no deadline: the time limit counts from the start there
        stem = file_stem(job.file, job.function, job.output_stem)
        earlier = [(os.path.abspath(each), each.read_bytes()) for each in earlier_files(given, job.file, stem)]
        compiler = str(self._packer.compiler)
        return (PackedJob(self._work, add_root(job), options, rest, compiler, _shared(parcel), tuple(earlier)),)


def _shared(parcel: Parcel) -> Shared:
    others = repr((parcel.here, parcel.searched, parcel.environment))
    return Shared(hashlib.sha256(f"{parcel.tree.digest} {others}".encode()).hexdigest(), parcel)


def _write_tests(folder: Path, files: Mapping[str, str], kept: Collection[str]) -> None:
    for name, text in files.items():
        if is_build_file(name):
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, text)
    for inner in dict.fromkeys((folder / name).parent for name in files if "/" in name):
        remove_others(inner, {folder / name for name in (*files, *kept)})
    for name in filter(is_build_file, files):  # its blocks are for suites that are there now
        take_build_file(folder, name, files[name])


# -- where the work is done


def do_packed(packed: PackedJob) -> Returned:
    """In a process that does nothing else: it changes its current folder and its environment."""
    parcel: Parcel = packed.parcel.value
    root = _mirror(parcel)
    for name, value in put_root(parcel.environment, root):
        os.environ[name] = value
    enter_mirror(root, parcel.here, parcel.searched)
    job, options, rest = put_root((packed.job, packed.options, packed.rest), root)
    folders = (options.output, *([options.keep_proofs] if options.keep_proofs else []))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)  # the tests of another function
        folder.mkdir(parents=True)
    write_files(packed.earlier, root)
    before = dict(_files(options.output))
    result = problem = None
    try:
        _check_compiler(options, packed.compiler)
        result = packed.work(job, options, *rest)
    except TightropeError as error:
        problem = _movable(error, root)
    tests, *proofs = [dict(_files(folder)) for folder in folders]
    kept = tuple(name for name, text in tests.items() if before.get(name) == text)
    written = {name: text for name, text in tests.items() if name not in kept}
    return Returned(*remove_root((result, problem, written, kept, proofs[0] if proofs else {}), root))


_place: list[Path] = []  # of the mirror of this process
_unpacked: list[str] = []


def _mirror(parcel: Parcel) -> Path:
    """The mirror of this process, with the files of the parcel; the next function is mostly of the same file."""
    if not _place:
        _place.append(take_place())
    if parcel.tree.digest not in _unpacked[-1:]:
        os.environ.pop(SWITCH, None)
        unpack(parcel.tree, _place[0])
        _unpacked.append(parcel.tree.digest)
    return _place[0]


def _check_compiler(options: Options, wanted: str) -> None:
    found = str(find_compiler(options.compiler))
    if found != wanted:
        raise UsageError(
            f"this command compiles with {wanted}, and a worker of the cluster with {found}",
            hint="leave out --cc and CC, so that all use the bundled compiler, or install the same one there",
            slug="cluster-version",
        )


def _movable(problem: TightropeError, root: Path) -> TightropeError:
    """The error as it is without the mirror, and so that it can be sent."""
    kind = UsageError if isinstance(problem, UnknownFlagError) else type(problem)
    kept = {name: getattr(problem, name) for name in ("location", "hint", "slug", "diagnostics")}
    try:
        return kind(remove_root(problem.message, root), **remove_root(kept, root))
    except TypeError:
        return InternalError(remove_root(problem.message, root))


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            yield file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")
