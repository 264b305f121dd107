"""From the words of the command line to the pairs of C files, old and new, that are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tightrope.commands.diff.versions.pair import Pair, Version
from tightrope.commands.diff.versions.pair_files import pair_files
from tightrope.commands.diff.versions.pair_folders import pair_folders
from tightrope.commands.diff.versions.pair_revisions import HERE, pair_revisions
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.options.targets import check_file, read_target
from tightrope.source.compilation_database import NAME, read_database
from tightrope.source.compile_request import temporary_folder
from tightrope.source.project import short_path

_FORMS = "OLD.c NEW.c, or OLD_FOLDER NEW_FOLDER, or REVISION -- FILE.c, or REVISION REVISION -- FILE.c"
_C = (".c", ".i", ".h")


@contextmanager
def find_pairs(options: Options) -> Iterator[tuple[Pair, ...]]:
    """One pair for each C file; none if nothing changed. The files exist until the end of the `with`; tests written by
    then refer to the user's files."""
    words, files = _split(options.subjects)
    options, files = _read_databases(options, files)
    with temporary_folder() as folder:
        pairs = _find(words, files, options, folder)
        try:
            yield pairs
        finally:
            _settle([pair.new for pair in pairs if pair.new and pair.new.folder], options.output)


def _read_databases(options: Options, files: Sequence[str]) -> tuple[Options, tuple[str, ...]]:
    """A compilation database among the files stands for its own files, and says how they are compiled."""
    found = [file for file in files if Path(file).name == NAME and Path(file).is_file()]
    if not found:
        return options, tuple(files)
    listed = [short_path(file) for each in found for file in read_database(Path(each)).files if file.is_file()]
    others = [file for file in files if file not in found]
    return replace(options, build_dir=options.build_dir or Path(found[0])), tuple(dict.fromkeys((*others, *listed)))


def _settle(versions: Sequence[Version], output: Path) -> None:
    """Make the written tests refer to the user's files instead of our temporary folder. All versions are in one such
    folder, whose name is unique."""
    for version in versions[:1]:
        place = Path(version.folder)
        written = [
            file for file in output.rglob("*") if file.is_file() and file.stat().st_mtime >= place.stat().st_mtime
        ]
        for file in written:
            if place.parent.name.encode() in file.read_bytes():
                version.settle(file)


def name_versions(options: Options) -> tuple[str, str]:
    """The names of the two versions for the user: 'old.c' and 'new.c', 'HEAD~1' and 'the working tree'."""
    words, _ = _split(options.subjects)
    if len(words) == 1 and ".." in words[0]:
        old, _, new = words[0].partition("..")
        words = (old or "HEAD", new.removeprefix(".") or "HEAD")
    return (words[0], words[1]) if len(words) > 1 else (words[0], HERE)


def _split(subjects: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    at = subjects.index("--") if "--" in subjects else len(subjects)
    return tuple(subjects[:at]), tuple(subjects[at + 1 :])


def _find(words: Sequence[str], files: Sequence[str], options: Options, folder: Path) -> tuple[Pair, ...]:
    if len(words) > 2:
        message = f"`tightrope diff` compares two versions, and `{words[2]}` is a third one"
        raise UsageError(message, hint=f"tightrope diff takes {_FORMS}", slug="versions")
    kinds = [_kind(word) for word in words]
    if kinds == ["folder", "folder"]:
        return pair_folders((words[0], words[1]), files, options, folder)
    if kinds == ["file", "file"]:
        if files:
            message = f"two C files are compared, and `{files[0]}` is a third one"
            raise UsageError(message, hint="flags for the compiler start with a hyphen", slug="versions")
        return (pair_files((words[0], words[1]), options, folder),)
    if kinds == ["revision", "file"] and not files:  # git accepts this form, too
        return pair_revisions(words[:1], words[1:], options, folder)
    _refuse_others(words, kinds)
    return pair_revisions(words, files, options, folder)


def _kind(word: str) -> str:
    target = read_target(word).file
    if target.is_dir():
        return "folder"
    return "file" if target.is_file() or target.suffix in _C else "revision"


def _refuse_others(words: Sequence[str], kinds: Sequence[str]) -> None:
    """Refuse a file alone, or together with something else. A folder alone may be the name of a branch."""
    if "file" not in kinds:
        return
    at = kinds.index("file")
    check_file(read_target(words[at]).file)
    if len(words) == 1:
        message = f"{words[0]} is only one version, and two are needed"
        hint = f"name the old version first, `tightrope diff OLD.c {words[0]}`, or `tightrope diff HEAD -- {words[0]}`"
        raise UsageError(message, hint=hint, slug="versions")
    other = 1 - at
    message = f"{words[at]} is a file, but {words[other]} is a {kinds[other]}"
    raise UsageError(message, hint=f"tightrope diff takes {_FORMS}", slug="versions")
