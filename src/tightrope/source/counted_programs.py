"""Test programs that gcc builds for gcov, kept by content: a build takes longer than all else that gcov needs."""

from __future__ import annotations

import os
from pathlib import Path

from tightrope.source.cache import stamp_of
from tightrope.source.recorded_calls import describe_machine, steering_variables
from tightrope.source.translations import TranslationKey, keep_translation, recall_translation
from tightrope.suite.gcov import NOTES, PROGRAM, RULE, Gcov, Job, build_with_gcc

_LENGTH = 8  # bytes that say how long the program is


def build_counted(tool: Gcov, job: Job, place: Path) -> None:
    """What `build_with_gcc` makes, or has made of the same files before. Raises what it raises."""
    key = _key(tool, job)
    kept = recall_translation(key)
    if kept is not None:
        end = _LENGTH + int.from_bytes(kept[:_LENGTH], "little")
        (place / PROGRAM).write_bytes(kept[_LENGTH:end])
        (place / PROGRAM).chmod(0o755)
        (place / NOTES).write_bytes(kept[end:])
        return
    build_with_gcc(tool, job, place)
    program, notes = (place / PROGRAM).read_bytes(), (place / NOTES).read_bytes()
    rule = (place / RULE).read_text(encoding="utf-8", errors="surrogateescape")
    keep_translation(key, len(program).to_bytes(_LENGTH, "little") + program + notes, rule, str(place))


def _key(tool: Gcov, job: Job) -> TranslationKey:
    objects = [each.read_bytes().hex() for each in job.objects]
    words = ("gcov", *map(str, stamp_of(os.path.realpath(tool.gcc))), tool.version, *describe_machine())
    return TranslationKey((*words, *steering_variables(os.environ), *objects, *job.flags), job.anchored, _here(job))


def _here(job: Job) -> str:
    return str(job.working_directory.absolute())
