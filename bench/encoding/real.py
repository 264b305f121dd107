"""The functions of bench/real, decided by search, by encoding and by both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.encoding.rows import Question
from bench.real.debian import Archive
from bench.real.listed import Listed
from bench.real.packages import PACKAGES, obtain

CRITERIA = ("branch", "mcdc")


def questions(listed: Sequence[Listed], folder: Path, time_limit: float, part: int, parts: int) -> list[Question]:
    """Of every `parts` functions one: `part` is the first. The packages are those of bench/real."""
    (folder / "apt").mkdir(parents=True, exist_ok=True)
    archive = Archive(folder / "apt")
    ready = {name: obtain(PACKAGES[name], folder / "packages", archive) for name in {each.package for each in listed}}
    return [
        Question(
            each.name,
            criterion,
            ready[each.package].folder / each.file,
            each.function,
            time_limit,
            ready[each.package].folder,
        )
        for each in listed[part::parts]
        for criterion in CRITERIA
    ]
