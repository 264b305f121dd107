"""Where a subject of a Debian package is on this machine: fetched by bench/real, with the flags of its build."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.mcdc.subjects import FunctionUnderTest
from bench.real.debian import Archive, NotHere
from bench.real.packages import DATABASE, PACKAGES, obtain

FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tightrope-bench"


def resolve(subject: FunctionUnderTest) -> FunctionUnderTest:
    """The same, with the path of its file and all flags. Raises NotHere."""
    if not subject.package:
        return subject
    prepared = obtain(PACKAGES[subject.package], FOLDER / "packages", Archive(FOLDER / "apt"))
    file = (prepared.folder / subject.file).resolve()
    entries = [
        meaning_flags(entry.get("arguments") or shlex.split(entry["command"]), Path(entry["directory"]))
        for entry in json.loads((prepared.folder / DATABASE).read_text(encoding="utf-8"))
        if (Path(entry["directory"]) / entry["file"]).resolve() == file
    ]
    if entries:  # a file may be compiled for several targets: the one that says most
        flags, also = (
            (*max(entries, key=len), *subject.flags),
            tuple(str(prepared.folder / each) for each in subject.also),
        )
        return replace(subject, file=str(file), also=also, flags=flags)
    raise NotHere(f"{subject.file} is not compiled by the build of {subject.package}")


def meaning_flags(words: Sequence[str], folder: Path) -> tuple[str, ...]:
    """What changes the meaning of the C: macros, folders of headers (made absolute) and the standard."""
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        option = next((each for each in ("-I", "-D", "-U", "-isystem", "-include") if word.startswith(each)), "")
        if option:
            value = word[len(option) :] or next(rest, "")
            is_path = option in ("-I", "-isystem")
            kept += [option, str(folder / value)] if is_path else [option, value]
        elif word.startswith("-std="):
            kept.append(word)
    return tuple(kept)
